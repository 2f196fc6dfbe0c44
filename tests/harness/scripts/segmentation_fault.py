# ends: signalled SIGSEGV
# result: before
import ctypes
import torch


def reads_nothing(x):
    print("RESULT: before")
    return ctypes.string_at(x)


reads_nothing(int(torch.zeros(1)))
