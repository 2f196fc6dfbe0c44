# ends: exited 0
# result: torch.float32 cpu True False
import sys
import torch

print("RESULT:", torch.get_default_dtype(), torch.get_default_device(), torch.is_grad_enabled(), torch.is_inference_mode_enabled())
print(torch.get_num_threads(), torch.get_num_interop_threads(), torch.are_deterministic_algorithms_enabled())
print(torch.get_float32_matmul_precision(), torch.is_anomaly_enabled(), torch.backends.mkldnn.enabled)
print(torch.initial_seed() != 67280421310721, torch.is_autocast_enabled("cpu"), sys.getswitchinterval())
print(torch._C._get_graph_executor_optimize(), torch.compiler.is_compiling(), torch._dynamo.config.cache_size_limit)
print(torch.cuda.is_available(), torch.xpu.is_available(), torch.cuda._is_in_bad_fork(), torch.xpu._is_in_bad_fork())
