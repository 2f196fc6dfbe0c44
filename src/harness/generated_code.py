"""Reads the wrapper code that the compiler wrote: how many graphs, for which devices, and which operators it left
to the dispatcher, each of which can still end on the CPU.

Loaded only after a script that compiled. Code that the canary left in a copied cache is not the script's: files
older than this process do not count.
"""
import os
import re

MAX_FILES = 200
MAX_BYTES = 4 << 20

MARKER = "async_compile = AsyncCompile()"
EXTERN = re.compile(r"\bextern_kernels\.(\w+)\(|\btorch\.ops\.(\w+)\.(\w+)(?:\.(\w+))?\(")
DEVICE = re.compile(r"torch\.(\w+)\._DeviceGuard\(|torch\.(\w+)\.set_device\(|empty_strided_(\w+)\(|device\(type='(\w+)'")


def born():
    """When this process began, in the clock of files."""
    return os.stat("/proc/self").st_ctime


def read(folder, device):
    graphs, on_device, operators = 0, 0, set()
    for path in sorted(python_files(folder))[:MAX_FILES]:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_BYTES)
        if MARKER not in text:
            continue
        graphs += 1
        devices = {name for match in DEVICE.finditer(text) for name in match.groups() if name}
        on_device += device in devices
        for match in EXTERN.finditer(text):
            kernel, namespace, packet, overload = match.groups()
            if kernel:
                operators.update(name for name in [resolve("aten", kernel, "out") or resolve("aten", kernel, "default")] if name)
            else:
                operators.update(name for name in [resolve(namespace, packet, overload or "default")] if name)
    return {"graphs": graphs, "graphs_on_device": on_device, "operators": sorted(operators)}


def resolve(namespace, packet, overload):
    """The operator's name as the dispatcher has it; None when it knows no such operator."""
    import torch
    if namespace == "inductor":  # the compiler's own, not the dispatcher's
        return None
    found = getattr(getattr(torch.ops, namespace), packet, None)
    if found is None or overload not in found.overloads():
        return None
    return f"{namespace}::{packet}" + ("" if overload == "default" else f".{overload}")


def python_files(folder):
    since = born()
    for here, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(here, name)
            if name.endswith(".py") and os.path.isfile(path) and os.stat(path).st_mtime >= since:
                yield path
