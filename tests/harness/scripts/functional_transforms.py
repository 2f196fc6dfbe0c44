# ends: exited 0
# result: [2.0, 4.0] [2.0, 2.0]
import torch
from torch.func import grad, vmap

f = lambda x: x * x
print("RESULT:", vmap(grad(f))(torch.tensor([1.0, 2.0])).tolist(), vmap(grad(grad(f)))(torch.tensor([1.0, 2.0])).tolist())
