# Too late for an interpreter that has loaded torch already, so this one is fresh.
# ends: exited 0
# result: off
# isolation: process
import os
os.environ["PYTORCH_JIT"] = "0"
import torch


@torch.jit.script
def f(x):
    return x + 1


print("RESULT:", "off" if not isinstance(f, torch.jit.ScriptFunction) else "on")
