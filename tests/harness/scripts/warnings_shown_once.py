# ends: exited 0
# result: done
import warnings
import torch


def old():
    warnings.warn("old is deprecated", DeprecationWarning, stacklevel=2)


for _ in range(2):
    torch.cross(torch.ones(1, 3), torch.ones(1, 3))
    torch.range(0, 1)
    warnings.warn("a word of the script")
    old()
warnings.warn("an import word", ImportWarning)
print("RESULT: done")
