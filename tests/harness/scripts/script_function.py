# ends: exited 0
# result: tensor([3., 3.])
import torch


@torch.jit.script
def f(x, n: int):
    for _ in range(n):
        x = x + 1
    return x


print("RESULT:", f(torch.ones(2), 2))
