# ends: exited 0
# result: [0, 1, 2] 3
import torch
from torch._dynamo.testing import CompileCounter

counter = CompileCounter()


@torch.compile(backend=counter, dynamic=False)
def f(x, n):
    return x + n


print("RESULT:", [int(f(torch.zeros(1), n)) for n in range(3)], counter.frame_count)
