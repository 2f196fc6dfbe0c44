"""Imports torch once, then forks one process per script.

No tensor work and no device call happens here: either would break every child (thread pools, autograd,
bad-fork flags). A script's process is forked twice, so that the supervisor becomes its parent and sees its
end; this server only names it. Its own answers carry no result.

Usage: fork_server.py CONFIG, a JSON object: channel (descriptor) preload (module names) module.
"""
import atexit
import ctypes
import gc
import importlib
import importlib.util
import json
import multiprocessing.util  # registers the handler that ends daemons, whether or not torch is there
import os
import random
import resource
import socket
import sys
import threading
import weakref

LANDLOCK_CREATE, LANDLOCK_ENTER = 444, 446  # system call numbers, equal on all architectures
PR_SET_DUMPABLE = 4


def load_runner():
    space = {"__name__": "run_script"}
    with open("/harness/run_script.py", encoding="utf-8") as file:
        exec(compile(file.read(), "/harness/run_script.py", "exec"), space)
    return space


def obstacle(config):
    """Why this process must not fork scripts, or None."""
    tasks = len(os.listdir("/proc/self/task"))
    if tasks != 1:
        return f"the imports left {tasks} threads"
    torch = sys.modules.get("torch")
    device = config["module"].removeprefix("torch.")
    module = getattr(torch, device, None) if torch else None
    if device != "cpu" and module is not None and getattr(module, "is_initialized", lambda: False)():
        return f"the imports initialised torch.{device}"
    return None


def separate(libc):
    """A Landlock domain of its own: the script can neither signal nor inspect this server."""
    scopes = (ctypes.c_uint64 * 3)(0, 0, 3)
    ruleset = libc.syscall(LANDLOCK_CREATE, scopes, ctypes.sizeof(scopes), 0)
    if ruleset < 0 or libc.syscall(LANDLOCK_ENTER, ruleset, 0) != 0:
        raise OSError("no Landlock domain")
    os.close(ruleset)
    libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)


def reseed():
    """A fresh process draws from the system; without this all children would draw the same numbers."""
    random.seed()
    if "torch" in sys.modules:
        sys.modules["torch"].default_generator.seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def end_of_script(status, libc):
    """What an interpreter does when it ends, as far as a script can see it; the rest (modules of torch, static
    destructors) costs ten times as much as a fork. The result is the exit status."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.modules.pop("__main__", None)
    gc.collect()  # destructors of what the script still held
    tracker = getattr(sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", None)
    getattr(tracker, "__del__", lambda: None)()  # waits for its process, which may have something to say
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except Exception:
            status = 120  # as the interpreter has it
    libc.fflush(None)
    return status


def become_script(request, output, evidence, channel, runner, libc):
    status = 1
    try:
        while os.getppid() != 1:  # a script that looks later would see its parent change
            os.sched_yield()
        os.setsid()
        channel.close()
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.dup2(evidence, 3)
        for descriptor in {output, evidence} - {1, 2, 3}:
            os.close(descriptor)
        # What else is open belongs to the libraries: libffi maps its own file again when it needs more callbacks.
        separate(libc)
        resource.setrlimit(resource.RLIMIT_CPU, (request["cpu_seconds"], request["cpu_seconds"]))
        os.environ.update(request["environment"])
        os.chdir(os.path.dirname(request["config"]["script"]))
        reseed()
        status = end_of_script(runner["run"](request["config"]), libc)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        status = 1
    finally:
        os._exit(status)


def serve(config, channel, runner, libc):
    while True:
        data, descriptors, _, _ = socket.recv_fds(channel, 65536, 4)
        if not data:
            return
        middle = os.fork()
        if middle == 0:
            pid = os.fork()
            if pid == 0:
                become_script(json.loads(data), *descriptors, channel, runner, libc)
            channel.send(json.dumps({"pid": pid}).encode("ascii"))
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)
        os.waitpid(middle, 0)


def main():
    config = json.loads(sys.argv[1])
    channel = socket.socket(fileno=config["channel"])
    runner = load_runner()
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        if importlib.util.find_spec("torch"):  # without it scripts fail by themselves, as they should
            for name in config["preload"]:
                importlib.import_module(name)
        problem = obstacle(config)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"[:500]
    if problem:
        channel.send(json.dumps({"error": problem}).encode("ascii"))
        return
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    # Handlers at exit stay: logging, weakref and multiprocessing have theirs from the imports, and a script relies
    # on them. What the imports made to be finalized is of no use to it and would be most of a fork's time.
    for finalizer in list(weakref.finalize._registry):
        finalizer.atexit = False
    gc.collect()
    gc.freeze()
    channel.send(json.dumps({"ready": True}).encode("ascii"))
    serve(config, channel, runner, libc)


if __name__ == "__main__":
    main()
