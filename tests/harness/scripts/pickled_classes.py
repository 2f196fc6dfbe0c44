# ends: exited 0
# result: Point(x=1) tensor([3., 4.]) True
import dataclasses
import io
import pickle
import torch


@dataclasses.dataclass
class Point:
    x: int


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([3.0, 4.0]))


file = io.BytesIO()
torch.save(Layer(), file)
file.seek(0)
loaded = torch.load(file, weights_only=False)
print("RESULT:", pickle.loads(pickle.dumps(Point(1))), loaded.weight.data, type(loaded) is Layer)
