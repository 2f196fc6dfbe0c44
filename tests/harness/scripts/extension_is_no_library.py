# ends: raised OSError
import torch

with open("extension.so", "w") as file:
    file.write("not a library\n")
torch.ops.load_library("./extension.so")
