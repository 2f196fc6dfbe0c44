# ends: exited 0
# result: [6.0, 6.0] [2.0, 2.0]
import torch


@torch.compile(backend="aot_eager", fullgraph=True)
def f(a, b):
    return (a * b).relu().sum()


a = torch.full((2,), 2.0, requires_grad=True)
b = torch.full((2,), 6.0, requires_grad=True)
f(a, b).backward()
print("RESULT:", a.grad.tolist(), b.grad.tolist())
