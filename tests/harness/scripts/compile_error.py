# ends: raised torch._dynamo.exc.Unsupported
import torch


@torch.compile(backend="eager", fullgraph=True)
def f(x):
    torch._dynamo.graph_break()
    return x + 1


f(torch.ones(3))
