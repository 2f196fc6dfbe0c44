# libffi keeps a descriptor of its own open, to map more room for callbacks from it.
# ends: exited 0
# result: 6000
import ctypes
import torch

files = [open("/proc/self/status") for _ in range(8)]
callbacks = [ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 2) for _ in range(3000)]
print("RESULT:", sum(call() for call in callbacks))
