# No handler runs and nothing is reported.
# ends: exited 9
import atexit
import os
import torch
atexit.register(print, "RESULT: never")
print(torch.zeros(1).item(), flush=True)
os._exit(9)
