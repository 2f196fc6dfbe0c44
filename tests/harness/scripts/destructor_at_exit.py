# ends: exited 0
# result: freed held
import torch


class Noisy:
    def __init__(self, name):
        self.name, self.tensor = name, torch.ones(2)

    def __del__(self):
        print("RESULT: freed", self.name)


held = Noisy("held")
Noisy("at once")
print("end")
