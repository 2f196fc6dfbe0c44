# ends: raised RuntimeError
import torch
torch.empty(1 << 44)
