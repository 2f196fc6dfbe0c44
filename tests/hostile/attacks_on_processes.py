"""Attacks on other processes, and attempts to outlive the script."""
from hostile.attack import NO_LIMITS, NOT_COVERED, STOPPED, Attack

IGNORE_SIGNALS = """
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
"""
KEEP = """
open("/proc/self/comm", "w").write(places["orphan"])
while True: time.sleep(600)
"""


def ended_on_time(answer):
    return STOPPED if answer["kind"] == "timed-out" else "not stopped: " + answer["kind"]


def signalled_everybody(answer):
    if answer["kind"] in ("exited", "signalled", "timed-out") and "sent" in answer["output"]:
        return "through" if "THROUGH" in answer["output"] else STOPPED
    raise AssertionError(answer)


def one_survivor(answer):
    if (answer["kind"], answer["exit_status"]) != ("exited", 3):
        raise AssertionError(answer)
    return STOPPED if answer.get("survivors", 1) == 1 else "not counted"


ATTACKS = [
    Attack("daemonise and survive", """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
""" + "\n".join("        " + line for line in (IGNORE_SIGNALS + KEEP).splitlines()) + """
    os._exit(0)
os.wait()
def name(pid):
    try:
        return open(f"/proc/{pid}/comm").read().strip()
    except OSError:
        return ""  # ended meanwhile
while places["orphan"] not in map(name, processes()):
    pass
sys.exit(3)
""", check=one_survivor, note="killed with its script and counted"),
    Attack("ignore every signal", IGNORE_SIGNALS + KEEP, check=ended_on_time, limits={"timeout_millis": 1500}, bubblewrap=NO_LIMITS),
    Attack("kill the supervisor", """
import resource
others = {1, os.getppid()} | set(processes()) - {0, os.getpid()}
for pid in others:
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGABRT, signal.SIGSEGV):
        if pid != 1:  # the kernel drops what pid 1 does not handle, and says that all is well
            attempt(f"{number} to {pid}", lambda: os.kill(pid, number))
        else:
            show(f"{number} to {pid}", lambda: os.kill(pid, number))
    for name in ("RLIMIT_CPU", "RLIMIT_NOFILE", "RLIMIT_AS", "RLIMIT_FSIZE"):
        attempt(f"{name} of {pid}", lambda: resource.prlimit(pid, getattr(resource, name), (0, 0)))
""", bubblewrap=NOT_COVERED, note="by signal and by resource limits"),
    Attack("slow the supervisor down", """
attempt("scheduler", lambda: os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0)))
attempt("affinity", lambda: os.sched_setaffinity(1, {0}))
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, 1, 19))
attempt("priority of the user", lambda: os.setpriority(os.PRIO_USER, 0, 19))
call("disk priority", 251, 1, 1, 3 << 13)
""", bubblewrap=NOT_COVERED),
    Attack("stop the supervisor, the server and everybody in sight", """
print("sent", flush=True)
for number in (signal.SIGSTOP, signal.SIGKILL):
    for pid in [1, os.getppid()] + processes():
        if pid not in (0, os.getpid()):
            try:
                os.kill(pid, number)
            except OSError:
                pass
os.kill(-1, signal.SIGSTOP)
os.kill(-1, signal.SIGKILL)
""", check=signalled_everybody, limits={"timeout_millis": 5000}),
    Attack("kill or stop siblings", """
for number in (0, signal.SIGSTOP, signal.SIGKILL):
    attempt(f"{number} to the sibling", lambda: os.kill(places["sibling"], number))
    show(f"{number} to all", lambda: os.kill(-1, number) if number == 0 else None)
def by_descriptor():
    signal.pidfd_send_signal(os.pidfd_open(places["sibling"]), signal.SIGKILL)
attempt("by descriptor", by_descriptor)
"""),
]
