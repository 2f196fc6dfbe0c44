"""Attacks that use up processes, memory, disk or the log. What is measured from outside decides."""
from hostile.attack import NO_LIMITS, STOPPED, THROUGH, VISIBLE, Attack

MEMORY = {"memory_bytes": 400 << 20}
OUTPUT_CAP = 4 << 20


def ended_for(*kinds):
    def check(answer):
        return STOPPED if answer["kind"] in kinds else f"ended as {answer['kind']}"
    return check


def capped(answer):
    """The script goes on, what is over the cap is read and dropped, and its row says so."""
    whole = answer["kind"] == "exited" and answer["exit_status"] == 0
    return VISIBLE if whole and answer["output_capped"] and len(answer["output"]) == OUTPUT_CAP else f"not capped: {answer['kind']}"


def limited(name, script, check, **more):
    return Attack(name, script, check=check, bubblewrap=NO_LIMITS, **more)


ATTACKS = [
    limited("fork bomb", """
open("/proc/self/comm", "w").write(places["bomb"])
while True:
    try:
        os.fork()
    except OSError:
        pass
""", ended_for("timed-out", "memory-exceeded"), limits={"timeout_millis": 2000}),  # many cores fill the memory first
    limited("thread bomb", """
import threading
started = 0
try:
    while started < 5000:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        started += 1
except RuntimeError:
    print("held", started > 0)
else:
    print("THROUGH", started)
sys.stdout.flush()
os._exit(3)
""", lambda answer: STOPPED if answer["exit_status"] == 3 and "held True" in answer["output"] else THROUGH),
    limited("memory bomb", "held = [bytearray(os.urandom(1) * (32 << 20)) for _ in range(64)]", ended_for("memory-exceeded"),
            limits=MEMORY),
    limited("memory bomb in shared memory", """
import mmap
shared = mmap.mmap(-1, 600 << 20)
for at in range(0, 600 << 20, 4096):
    shared[at] = 1
time.sleep(30)
""", ended_for("memory-exceeded"), limits=MEMORY),
    limited("memory bomb in /dev/shm", "open('/dev/shm/hog', 'wb').write(b'x' * (600 << 20)); time.sleep(30)",
            ended_for("memory-exceeded"), limits=MEMORY),
    limited("memory bomb in children", """
if os.fork() and os.fork():
    pass
held = bytearray(os.urandom(1) * (200 << 20))
time.sleep(30)
""", ended_for("memory-exceeded"), limits=MEMORY),
    limited("memory outside of every process", """
call("memfd_create", 319, b"x", 0)
call("shmget", 29, 0, 1 << 30, 0o600)
print("tried")
""", lambda answer: THROUGH if "THROUGH" in answer["output"] else STOPPED,
            note="refused without device nodes; GPU drivers need it"),
    limited("file bomb", """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
attempt("sparse", lambda: os.truncate(os.open("/scratch/huge", os.O_CREAT | os.O_RDWR), 1 << 40))
def fill():
    with open("/tmp/huge", "wb") as file:
        while True:
            file.write(b"x" * (64 << 20))
attempt("written", fill)
print("tried")
""", lambda answer: STOPPED if answer["output"].count("held") == 2 else THROUGH),
    limited("inode bomb", """
def fill():
    for number in range(1 << 20):
        os.close(os.open(f"/dev/shm/{number}", os.O_CREAT))
attempt("inodes", fill)
""", lambda answer: STOPPED if answer["output"] == "held inodes OSError\n" else THROUGH, limits={"timeout_millis": 120_000}, heavy=True),
    limited("10 GB of output", """
block = memoryview(bytes(1 << 20)).cast("B")
for _ in range(10 << 10):
    left = len(block)
    while left:
        left -= os.write(1, block[:left])
""", capped, full=VISIBLE, limits={"timeout_millis": 300_000}, heavy=True),
    limited("one line of 1 GB", """
block = memoryview(b"x" * (1 << 20))
for _ in range(1 << 10):
    left = len(block)
    while left:
        left -= os.write(1, block[:left])
os.write(1, b"\\n")
""", capped, full=VISIBLE, limits={"timeout_millis": 120_000}, heavy=True),
]
