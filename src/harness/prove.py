"""Counts operators by the device of what they return, and asks the dispatcher which of them ran on the CPU.

The first operator on the target is told at once: a script that crashes later sends nothing else.

Only for proof attempts of scripts that do not compile: a dispatch mode silently switches the compiler off.
Warnings are not asked: a script can silence them, and some name no operator.
"""


def make_counter(target, reached):
    """`reached` is called once, with the counts so far, when an operator has returned a tensor on `target`."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    class Counter(TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.operators_by_device = {}
            self.operators = {}  # schema name -> device types of its outputs

        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            result = function(*args, **(kwargs or {}))
            devices = {leaf.device.type for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)}
            name = function._schema.name + ("." + function._schema.overload_name if function._schema.overload_name else "")
            self.operators.setdefault(name, set()).update(devices)
            is_first = target in devices and target not in self.operators_by_device
            for device in devices:
                self.operators_by_device[device] = self.operators_by_device.get(device, 0) + 1
            if is_first:
                reached(dict(self.operators_by_device))
            return result

        def fallbacks(self, config):
            """Operators with results on the target that its registration or its kernel computes on the CPU."""
            host = {bare(name) for name in config.get("host_operators", [])}
            found = []
            for name, devices in sorted(self.operators.items()):
                if config["device"] not in devices:
                    continue
                registered = registration(name, config["dispatch_key"])
                fallback = any(file in registered for file in config.get("fallback_registrations", []))
                if fallback or bare(name) in host:
                    found.append(name)
            return found

    def bare(name):
        return name.split("::")[-1].split(".")[0]

    def registration(name, key):
        for line in torch._C._dispatch_dump(name).splitlines():
            if line.strip().startswith(key + ":"):
                return line
        return ""

    return Counter()
