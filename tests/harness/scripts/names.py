# What `python script.py` shows of itself.
# ends: exited 0
# result: __main__ /scratch/names.py ['/scratch/names.py'] None
import inspect
import sys
import torch

print("RESULT:", __name__, __file__, sys.argv, __spec__)
print(sys.path[0], sys.orig_argv, sys.modules["__main__"].__dict__ is globals(), type(__loader__).__name__)
print(sorted(name for name in globals() if name not in ("inspect", "sys", "torch")))
print(inspect.getsource(inspect.getmodule(inspect.currentframe())).splitlines()[0])
