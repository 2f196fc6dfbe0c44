# ends: raised OSError
import torch
torch.ops.load_library("/scratch/missing.so")
