# ends: exited 0
# result: 3
import torch

kept = [torch.zeros(2) for _ in range(3)]
layer = torch.nn.Linear(2, 2)
dropped = torch.zeros(5)
del dropped
print("RESULT:", len(kept))
