# ends: exited 0
# result: buffered
import io
import os
import sys
import torch

os.write(1, b"first\n")
sys.stdout.buffer.write(b"\xff\xfe bytes\n")
sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), write_through=False)
print("RESULT: buffered")
os.write(1, b"second\n")
print(torch.ones(1).item(), file=sys.stderr)
