# ends: exited 3
# result: before
import sys
import torch


def check(x):
    print("RESULT: before")
    sys.exit(int(x.sum().item()))


try:
    check(torch.ones(3))
finally:
    print("cleaned up")
