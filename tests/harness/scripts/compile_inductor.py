# The real compiler, with g++ in the sandbox.
# ends: exited 0
# result: True
import torch


@torch.compile
def f(x, y):
    return torch.sin(x) * y + x.sum(dim=1, keepdim=True)


x, y = torch.linspace(0, 1, 32).reshape(4, 8), torch.linspace(1, 2, 32).reshape(4, 8)
expected = torch.sin(x) * y + x.sum(dim=1, keepdim=True)
print("RESULT:", torch.allclose(f(x, y), expected, atol=1e-5))
