# Leaves everything changed; torch_defaults.py runs in the same fork server.
# ends: exited 0
# result: torch.float64 meta False
import torch

torch.set_default_dtype(torch.float64)
torch.set_default_device("meta")
torch.set_grad_enabled(False)
torch.use_deterministic_algorithms(True)
torch.set_float32_matmul_precision("medium")
torch.set_printoptions(precision=2)
torch.set_num_threads(2)
torch.autograd.set_detect_anomaly(True)
torch._dynamo.config.cache_size_limit = 1
x = torch.ones(2)
print("RESULT:", x.dtype, x.device, torch.is_grad_enabled())
