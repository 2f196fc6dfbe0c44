# ends: exited 0
# result: True
import torch

torch.manual_seed(7)
model = torch.nn.Sequential(torch.nn.Linear(2, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
step = torch.optim.Adam(model.parameters(), lr=0.05)
x = torch.tensor([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
first = None
for _ in range(20):
    step.zero_grad()
    loss = torch.nn.functional.mse_loss(model(x), x.sum(1, keepdim=True))
    first = first or loss.item()
    loss.backward()
    step.step()
print(loss.item(), sum(p.abs().sum().item() for p in model.parameters()))
print("RESULT:", loss.item() < first)
