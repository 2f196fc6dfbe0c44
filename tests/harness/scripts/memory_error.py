# ends: raised MemoryError
import torch
print(torch.ones(1).item())
held = bytearray(1 << 45)
