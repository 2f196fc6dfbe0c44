"""Counts operators by the device of what they return, and asks the dispatcher which of them ran on the CPU.

The first operator on the target is told at once: a script that crashes later sends nothing else.

Only for proof attempts of scripts that do not compile: a dispatch mode silently switches the compiler off.
Warnings are not asked: a script can silence them, and some name no operator.
"""


def bare(name):
    return name.split("::")[-1].split(".")[0]


def kernel_of(name, key):
    """What the dispatcher would call for this key, with the file that registered it: also a backend's fallback."""
    import torch
    for line in torch._C._dispatch_dump_table(name).splitlines():
        if line.startswith(key + ":"):
            return line
    return ""


def out_variants(name):
    """Overloads that write the same result into an argument: a default kernel of torch calls one of them."""
    import torch
    namespace, _, packet = name.partition("::")
    packet = getattr(getattr(torch.ops, namespace), bare(packet))
    overload = getattr(packet, name.split("::")[-1].partition(".")[2] or "default")
    wanted = [argument.name for argument in overload._schema.arguments]
    for other in packet.overloads():
        arguments = getattr(packet, other)._schema.arguments
        if [argument.name for argument in arguments if not argument.is_out] == wanted and len(arguments) > len(wanted):
            yield f"{namespace}::{bare(name)}.{other}"


def cpu_operators(names, config):
    """Which of these compute on the CPU for the target: name -> "registration" (the dispatcher says so) or "list"."""
    host = {bare(name) for name in config.get("host_operators", [])}
    files, key, found = config.get("fallback_registrations", []), config["dispatch_key"], {}
    for name in names:
        kernels = [kernel_of(name, key)]
        if "[default backend kernel]" in kernels[0] or not kernels[0]:
            kernels += [kernel_of(other, key) for other in out_variants(name)]
        if any(file in kernel for kernel in kernels for file in files):
            found[name] = "registration"
        elif bare(name) in host:
            found[name] = "list"
    return found


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
            """Operators with results on the target that were computed on the CPU: name -> how that is known."""
            on_target = [name for name, devices in sorted(self.operators.items()) if config["device"] in devices]
            return cpu_operators(on_target, config)

    return Counter()
