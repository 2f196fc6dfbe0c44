# ends: exited 0
# result: late
import os
import torch
file = os.fdopen(os.dup(1), "w")
file.write("RESULT: late\n")
print(torch.ones(1).item())
