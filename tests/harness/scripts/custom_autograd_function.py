# ends: raised RuntimeError
import torch


class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x / 2

    @staticmethod
    def backward(ctx, gradient):
        raise RuntimeError(f"backward of {gradient.item()}")


Half.apply(torch.tensor(3.0, requires_grad=True)).backward()
