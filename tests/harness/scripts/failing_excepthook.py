# ends: raised RuntimeError
import sys
import torch


def hook(kind, value, trace):
    raise TypeError("in the hook")


sys.excepthook = hook
torch.ones(2) @ torch.ones(3)
