# ends: raised RuntimeError
import torch


def multiply(rows):
    return torch.ones(2, rows) @ torch.ones(5, 2)


multiply(4)
