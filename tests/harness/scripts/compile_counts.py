# The counters that are the proof of a compilation begin at nothing.
# ends: exited 0
# result: 2 graphs
import torch
from torch._dynamo.utils import counters

print(dict(counters["stats"]))


@torch.compile(backend="eager")
def f(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y * 2


f(torch.ones(3))
print("RESULT:", counters["stats"]["unique_graphs"], "graphs")
