"""One attack of the table: a script, how to see that it got through, and what is expected at each level.

A script prints THROUGH when it has what it wanted and `held` when it was refused. What it can not know is looked at
from outside (surroundings.py). Never imported by the product.
"""
import dataclasses
from typing import Callable

STOPPED, VISIBLE, NOT_COVERED = "stopped", "visible", "not covered"
THROUGH = "through"  # measured; NOT_COVERED is what the table says of it
NO_LIMITS = "no limits"  # of bubblewrap: it has none, so that there is nothing to compare
KERNEL = "kernel setting"  # of bubblewrap: sysctl of the machine decides

PRELUDE = """import ctypes, errno, glob, os, signal, socket, struct, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, action):
    try:
        result = action()
    except BaseException as error:
        print("held", name, type(error).__name__)
    else:
        print("THROUGH", name, result)
def call(name, number, *arguments):
    if libc.syscall(number, *arguments) != -1:
        print("THROUGH", name)
    else:
        print("held", name, errno.errorcode[ctypes.get_errno()])
def show(name, action):
    try:
        print("seen", name, action())
    except BaseException as error:
        print("held", name, type(error).__name__)
def processes():
    return sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
"""


class Unfinished(AssertionError):
    """The script ended before it had tried everything, so that nothing is known."""


def tried(answer):
    """For attacks whose script knows: every attempt is answered."""
    if "THROUGH" in answer["output"]:
        return THROUGH
    if not answer["output"].rstrip().endswith("tried"):
        raise Unfinished(answer["output"][-2000:])
    return STOPPED


@dataclasses.dataclass(frozen=True)
class Attack:
    name: str
    script: str
    full: str = STOPPED  # at the level namespaces+landlock+seccomp
    bubblewrap: str = STOPPED
    check: Callable[[dict], str] = tried
    note: str = ""  # shown in the table
    refusals: tuple = ()  # ours: the only errors that count as refused, so that no wrong argument does
    limits: dict = dataclasses.field(default_factory=dict)  # of the request
    next_script: str = ""  # runs afterwards; prints THROUGH when the attack reached it
    heavy: bool = False  # as one identity only

    def text(self, places):
        end = "\nprint('tried')\n" if self.check is tried else "\n"
        return PRELUDE + f"places = {places!r}\n" + self.script + end
