# ends: exited 0
# result: 1.401298464324817e-45 inf -0.0
import locale
import torch

print(0.1 + 0.2, 1e22, f"{1 / 3:.20f}", format(1e6, "n"), locale.localeconv()["decimal_point"])
print(torch.tensor([1e-8, 1.0, 12345.678]), torch.tensor([1 / 3], dtype=torch.float64), torch.tensor(True))
print("RESULT:", torch.tensor(1e-45).item(), torch.tensor(1e39).item(), torch.tensor(-0.0).item())
