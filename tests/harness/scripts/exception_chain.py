# ends: raised KeyError
import torch

try:
    torch.zeros(2)[5]
except IndexError as error:
    raise KeyError("outer") from error
