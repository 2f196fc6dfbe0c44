import os, enum
A = os.getenv('X_A', '1')
os.environ['X_B'] = "2"
@register_backend(name='x')
def f(x):
    if x < 0:
        raise ValueError(f'no {x} ' "here" % 3)
    assert x, 'zero'
class Act(enum.Enum):
    A = 0
class C:
    m: int = 3
    def g(self):
        raise NotImplementedError
    def h(self):
        self.map = {(A, B): 1, (B, C): 2, (C, A): 3}
setup(entry_points={'torch.backends': ['npu = torch_npu:_autoload']})
