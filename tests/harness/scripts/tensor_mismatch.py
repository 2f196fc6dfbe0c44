# ends: raised AssertionError
import torch

actual = torch.arange(6.0).reshape(2, 3)
torch.testing.assert_close(actual + torch.eye(2, 3) * 0.01, actual, rtol=0, atol=1e-3)
