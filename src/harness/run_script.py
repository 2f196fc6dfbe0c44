"""Runs one script as __main__ and reports what was left when it ended.

The script sees what plain `python script.py` would show it; nothing is installed but this frame around it,
and faulthandler. After the script: one synchronisation, then facts about exception, live tensors and
compiler go to the evidence descriptor. Its frames are started, of a proof run reached (an operator has run on
the device), and report. Whatever a script does to this file's objects can only
falsify its own report: exit status and signal are the supervisor's.

Usage: run_script.py CONFIG, a JSON object: script evidence nonce role module startup dispatch_key device
fallback_registrations host_operators caches (empty, seeded, kept). Without torch in the process the torch facts are absent.
"""
import faulthandler
import gc
import importlib.machinery
import json
import os
import struct
import sys
import types

MAX_MESSAGE = 16384
MAX_FRAMES = 100
MAX_CAUSES = 10


class Channel:
    """Numbered frames with the attempt's nonce; silent in processes that the script forks."""

    def __init__(self, descriptor, nonce):
        self.descriptor, self.nonce, self.sequence, self.owner = descriptor, nonce, 0, os.getpid()
        os.set_inheritable(descriptor, False)

    def send(self, kind, body):
        if os.getpid() != self.owner:
            return
        frame = {"nonce": self.nonce, "sequence": self.sequence, "kind": kind, "body": body}
        self.sequence += 1
        data = json.dumps(frame).encode("ascii")
        data = struct.pack(">I", len(data)) + data
        while data:
            data = data[os.write(self.descriptor, data):]


def shown_file(path, script):
    """Without what differs between machines and runs: torch/nn/functional.py, <script>, json/decoder.py."""
    if path == script:
        return "<script>"
    if path.startswith("/harness/"):
        return "<harness>"
    for root in ("/site-packages/", "/dist-packages/"):
        if root in path:
            return path.rsplit(root, 1)[1]
    if path.startswith(("/scratch/", "/tmp/")):
        return "<generated>"
    head, found, tail = path.rpartition("/lib/python3")
    return tail.split("/", 1)[-1] if found else path


def type_name(kind):
    module = getattr(kind, "__module__", "") or ""
    name = getattr(kind, "__qualname__", "") or ""
    return name if module in ("builtins", "") else f"{module}.{name}"


def message_of(error):
    try:
        return str(error)[:MAX_MESSAGE]
    except BaseException as failure:
        return f"<the message can not be made: {type_name(type(failure))}>"


def frames_of(trace, script):
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        file = shown_file(code.co_filename, script)
        if file != "<harness>":
            frames.append({"file": file, "function": code.co_name, "line": trace.tb_lineno})
        trace = trace.tb_next
    return frames[-MAX_FRAMES:]


def describe(error, script):
    causes, seen, cause = [], {id(error)}, error
    while len(causes) < MAX_CAUSES:
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
        if cause is None or id(cause) in seen:
            break
        seen.add(id(cause))
        causes.append({"type": type_name(type(cause)), "message": message_of(cause)})
    return {"type": type_name(type(error)), "message": message_of(error),
            "frames": frames_of(error.__traceback__, script), "causes": causes[::-1]}


def device_module(name):
    """torch.xpu and the like, if the script has imported torch and the device is in use."""
    parts = name.split(".")
    module = sys.modules.get(parts[0])
    for part in parts[1:]:
        module = getattr(module, part, None)
    if module is None or not getattr(module, "is_initialized", lambda: True)():
        return None
    return module


def live_tensors(torch):
    counts = {}
    for thing in gc.get_objects():
        kind = type(thing)
        # The type, not isinstance: that would run the code of proxies. Fake tensors only claim a device.
        if issubclass(kind, torch.Tensor) and kind.__name__ != "FakeTensor":
            device = thing.device.type
            counts[device] = counts.get(device, 0) + 1
    return counts


def fact(body, name, ask):
    try:
        value = ask()
        if value is not None:
            body[name] = value
    except Exception as error:
        body.setdefault("harness_errors", []).append(f"{name}: {type_name(type(error))}: {message_of(error)[:300]}")


def synchronise(module):
    try:
        module.synchronize()
    except Exception as error:
        return f"{type_name(type(error))}: {message_of(error)}"
    return None


def facts(config, error, counter):
    body = {}
    if error is not None:
        body["exception"] = describe(error, config["script"])
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "Tensor"):
        return body
    module = device_module(config["module"])
    if hasattr(module, "synchronize"):
        fact(body, "exit_sync_error", lambda: synchronise(module))
    if hasattr(module, "max_memory_allocated"):
        fact(body, "device_peak_bytes", lambda: int(module.max_memory_allocated()))
    fact(body, "live_tensors", lambda: live_tensors(torch))
    dynamo = sys.modules.get("torch._dynamo.utils")
    if dynamo is not None and dynamo.counters["frames"]["total"]:  # imported alone says nothing: a fork server does that
        fact(body, "compiled_graphs", lambda: int(dynamo.counters["stats"]["unique_graphs"]))
        fact(body, "generated_code", lambda: generated_code(config))
    if counter is not None:
        body["operators_by_device"] = dict(counter.operators_by_device)
        fact(body, "fallbacks", lambda: counter.fallbacks(config))  # name -> how that is known
        body["fallback_operators"] = sorted(body.get("fallbacks", {}))
    return body


def load(name):
    path = f"/harness/{name}.py"
    space = {"__name__": name}
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), space)
    return space


def load_counter(config, channel):
    reached = lambda counts: channel.send("reached", {"operators_by_device": counts})
    return load("prove")["make_counter"](config["device"], reached)


def generated_code(config):
    """What the compiler made for this script: a dispatch mode would have switched it off."""
    found = load("generated_code")["read"](os.environ.get("TORCHINDUCTOR_CACHE_DIR", ""), config["device"])
    if found["operators"]:
        found["fallbacks"] = load("prove")["cpu_operators"](found["operators"], config)
    return found


def exit_status(stop):
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code & 0xFF
    print(stop.code, file=sys.stderr)
    return 1


def show(failure, trace):
    """As the interpreter shows an uncaught exception, and a hook for it that fails. The exit status."""
    try:
        sys.excepthook(type(failure), failure.with_traceback(trace), trace)
    except SystemExit as stop:
        return exit_status(stop)
    except BaseException as second:
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(second), second.with_traceback(second.__traceback__.tb_next), second.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(failure), failure, trace)
    return 1


def main_module(script):
    module = types.ModuleType("__main__")
    module.__file__ = script
    module.__loader__ = importlib.machinery.SourceFileLoader("__main__", script)
    return module


def execute(path, module):
    with open(path, "rb") as file:
        source = file.read()
    exec(compile(source, path, "exec"), module.__dict__)


def run(config):
    """The exit status that `python script` would have."""
    channel = Channel(config["evidence"], config["nonce"])
    channel.send("started", {})
    if config.get("caches") == "seeded":
        load("seed_caches")["unpack"]()
    script = config["script"]
    module = sys.modules["__main__"] = main_module(script)
    sys.argv[:] = [script]
    sys.orig_argv[:] = [sys.executable, script]
    sys.path[0] = os.path.dirname(script)
    faulthandler.enable()
    counter, error, status = None, None, 0
    try:
        if config.get("startup"):
            exec(compile(config["startup"], "<startup>", "exec"), {"__name__": "startup"})
        if config["role"] == "proof":
            counter = load_counter(config, channel)
            with counter:
                execute(script, module)
        else:
            execute(script, module)
    except SystemExit as stop:
        status = exit_status(stop)
    except BaseException as failure:
        error = failure
        trace = failure.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename.startswith("/harness/"):
            trace = trace.tb_next
        status = show(failure, trace)
    channel.send("report", facts(config, error, counter))
    if config.get("caches") == "kept" and status == 0:
        load("seed_caches")["pack"]()
    return status


if __name__ == "__main__":
    sys.exit(run(json.loads(sys.argv[1])))
