# The engine's own threads start in this process, whoever imported torch.
# ends: exited 0
# result: [12.0, 27.0, 48.0]
import threading
import torch

gradients = [None] * 3


def work(at):
    x = torch.full((4,), float(at + 2), requires_grad=True)
    (x ** 3).sum().backward()
    gradients[at] = x.grad[0].item()


threads = [threading.Thread(target=work, args=(at,)) for at in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("RESULT:", gradients)
