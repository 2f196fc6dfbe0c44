# ends: exited 0
# result: True
import random
import numpy
import torch

random.seed(11)
numpy.random.seed(11)
torch.manual_seed(11)
print(random.random(), numpy.random.rand(), torch.rand(1).item(), torch.randperm(5).tolist(), torch.initial_seed())
print("RESULT:", torch.rand(1, generator=torch.Generator().manual_seed(3)).item() ==
      torch.rand(1, generator=torch.Generator().manual_seed(3)).item())
