# Handlers run after the script, the last one first; one that fails stops nobody.
# ends: exited 0
# result: first
import atexit
import torch


def fails():
    raise ValueError("in a handler")


atexit.register(print, "RESULT: first")
atexit.register(fails)
atexit.register(print, "RESULT: second")
print(torch.ones(2).sum().item())
