"""A stand-in for torch that imports in milliseconds: enough for the canaries and the scripts of small_world.

It stands in for the interpreter's package in crash tests only, where what matters is the pipeline; every
claim about torch is tested with the real one.
"""
import math
import sys
import types

from . import version

__version__ = version.__version__


class device:
    def __init__(self, type):
        self.type = str(type).split(":")[0]

    def __str__(self):
        return self.type


class Tensor:
    def __init__(self, values, device_type="cpu"):
        self.values = list(values)
        self.device = device(device_type)

    def sum(self):
        return sum(self.values)

    def tolist(self):
        return list(self.values)

    def _with(self, other, operation):
        return Tensor((operation(a, b) for a, b in zip(self.values, other.values)), self.device.type)

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def to(self, *arguments, **options):
        return self

    def cpu(self):
        return self

    def item(self):
        return self.values[0]


def zeros(*shape, device="cpu", **options):
    return Tensor([0.0] * math.prod(shape), device)


def ones(*shape, device="cpu", **options):
    return Tensor([1.0] * math.prod(shape), device)


def tensor(values, device="cpu", **options):
    return Tensor(values if isinstance(values, (list, tuple)) else [values], device)


def is_tensor(value):
    return isinstance(value, Tensor)


def equal(left, right):
    return left.values == right.values


def manual_seed(seed):
    return seed


def seed():
    return 0


class _Generator:
    @staticmethod
    def seed():
        return 0


default_generator = _Generator()


class _Cpu:
    @staticmethod
    def is_available():
        return True

    @staticmethod
    def synchronize():
        return None


cpu = _Cpu()


def _module(name, **members):
    module = sys.modules[f"torch.{name}"] = types.ModuleType(f"torch.{name}")
    module.__dict__.update(members)
    return module


# What preflight asks for: torch.utils.collect_env.
utils = _module("utils", __path__=[])
utils.collect_env = _module("utils.collect_env", main=lambda: print("PyTorch version: 2.14.1 (stand-in)"))
