# The interpreter's own way to start workers, in a script that does not expect to be imported.
# ends: raised RuntimeError
import torch
from torch.utils.data import DataLoader

for batch in DataLoader(torch.arange(4), num_workers=1, multiprocessing_context="spawn"):
    print(batch)
