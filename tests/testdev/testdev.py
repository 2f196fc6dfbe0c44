"""torch.testdev: a second device for tests. Its memory is host memory and its kernels run on the CPU, but
torch sees a device of its own, with its own dispatch key. Importing this module makes it known to torch.
"""

import os
import types

import torch

_HERE = os.path.dirname(os.path.abspath(__file__))
_ops = torch.ops.testdev


class device:
    """Context of the only device there is; `torch.testdev.device(0)` does nothing but check the number."""

    def __init__(self, index):
        set_device(index)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def is_available():
    return True


def is_initialized():
    return True


def init():
    pass


def device_count():
    return 1


def current_device():
    return 0


def set_device(index):
    index = torch.device("testdev", index).index if isinstance(index, int) else torch.device(index).index
    if index not in (None, 0):
        raise RuntimeError(f"testdev has one device, asked for number {index}")


def get_device_name(index=None):
    return "testdev"


def synchronize(device=None):
    pass


def memory_allocated(device=None):
    return _ops.memory_allocated()


def max_memory_allocated(device=None):
    return _ops.max_memory_allocated()


def reset_peak_memory_stats(device=None):
    _ops.reset_peak_memory_stats()


def empty_cache():
    pass


def manual_seed(seed):
    torch.default_generator.manual_seed(int(seed))


manual_seed_all = manual_seed


def seed():
    torch.default_generator.seed()


def initial_seed():
    return torch.default_generator.initial_seed()


def get_rng_state(device=None):
    return torch.default_generator.get_state()


def set_rng_state(state, device=None):
    torch.default_generator.set_state(state)


def is_bf16_supported():
    return True


def get_amp_supported_dtype():
    return [torch.float16, torch.bfloat16]


def _is_in_bad_fork():
    return False


def _register():
    torch.utils.rename_privateuse1_backend("testdev")
    torch.ops.load_library(os.path.join(_HERE, "libtestdev.so"))
    module = types.ModuleType("torch.testdev", __doc__)
    for name, value in globals().items():
        if callable(value) and name not in ("_register",):
            setattr(module, name, value)
    torch._register_device_module("testdev", module)
    torch.utils.generate_methods_for_privateuse1_backend()


_register()
