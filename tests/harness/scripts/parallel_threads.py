# ends: exited 0
# result: 2 True
import torch

torch.set_num_threads(2)
x = torch.ones(600, 600)
print("RESULT:", torch.get_num_threads(), bool(((x @ x) == 600).all()))
print(torch.ones(1 << 20).sum().item(), torch.arange(1 << 20).sort(descending=True).values[0].item())
