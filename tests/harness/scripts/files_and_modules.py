# ends: exited 0
# result: ['files_and_modules.py', 'neighbour.py'] 3
import os

with open("neighbour.py", "w") as file:
    file.write("import torch\nvalue = int(torch.ones(3).sum())\n")
import neighbour
print("RESULT:", sorted(name for name in os.listdir() if name.endswith(".py")), neighbour.value)
print(os.getcwd(), neighbour.__file__)
