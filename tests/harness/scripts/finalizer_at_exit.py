# The standard library's own handlers at exit serve the script, too.
# ends: exited 0
# result: finalized
import os
import tempfile
import weakref
import torch

kept = torch.nn.Linear(1, 1)
weakref.finalize(kept, print, "RESULT: finalized")
folder = tempfile.TemporaryDirectory()
weakref.finalize(kept, lambda name: print("folder", os.path.exists(name)), folder.name)
print("end")
