"""Attacks that write outside of scratch, or leave something behind for a later candidate."""
from hostile.attack import NOT_COVERED, Attack

ATTACKS = [
    Attack("write to the system and to the interpreter", """
import sysconfig
for folder in ("/", "/usr", "/usr/lib", "/etc", "/dev", "/proc/sys/kernel", os.path.dirname(os.__file__), sysconfig.get_path("purelib")):
    attempt(folder, lambda: open(folder + "/hostile", "w"))
attempt("the running program", lambda: open(sys.executable, "r+b"))
attempt("core pattern", lambda: open("/proc/sys/kernel/core_pattern", "w").write("|/scratch/x"))
attempt("sysrq", lambda: open("/proc/sysrq-trigger", "w").write("h"))
attempt("chmod", lambda: os.chmod("/usr", 0o777))
""", bubblewrap=NOT_COVERED, note="bubblewrap's /dev can be written"),
    Attack("write by symbolic link", """
for number, victim in enumerate(places["victims"]):
    os.symlink(victim, f"/scratch/link{number}")
    attempt(victim, lambda: open(f"/scratch/link{number}", "r+").write("x"))
os.symlink("/", "/scratch/root")
os.symlink("/usr", "/tmp/usr")
attempt("through a folder", lambda: open("/scratch/root/usr/hostile", "w"))
"""),
    Attack("write by hard link", """
for number, source in enumerate(places["victims"] + ["/usr/bin/env", os.__file__]):
    attempt(source, lambda: os.link(source, f"/scratch/hard{number}"))
"""),
    Attack("write through /proc/self/root", """
for root in ("/proc/self/root", "/proc/1/root", "/proc/self/task/" + str(os.getpid()) + "/root", "/proc/thread-self/root"):
    for path in places["victims"]:
        attempt(root + path, lambda: open(root + path, "r+").write("x"))
    attempt(root, lambda: open(root + "/usr/hostile", "w"))
"""),
    Attack("write through inherited descriptors", """
own = {os.path.realpath(f"/proc/self/fd/{number}") for number in (0, 1, 2)}
for number in range(3, 1024):
    try:
        target = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        continue
    show(f"{number} {target}", lambda: (os.fchdir(number), os.stat("..")))
    show(f"{number} write", lambda: target.startswith("pipe:") or os.write(number, b"x"))
    show(f"{number} again", lambda: target.startswith("pipe:") or open(f"/proc/self/fd/{number}", "r+b").write(b"x"))
for pid in processes():
    for path in glob.glob(f"/proc/{pid}/fd/*"):
        if pid != os.getpid():
            print("THROUGH", path)
""", bubblewrap=NOT_COVERED, note="bubblewrap hands on what it was given"),
    Attack("device nodes", """
call("mknod", 133, b"/scratch/mem", 0o20666, 0x101)
for node in "mem kmem sda vda kmsg fuse kvm net/tun uinput vsock".split():
    node = "/dev/" + node
    attempt(node, lambda: open(node, "r+b"))
"""),
    Attack("folders that can not be emptied", """
os.makedirs("/scratch/locked/inner")
open("/scratch/locked/inner/file", "w")
os.symlink(places["victims"][0], "/scratch/repro_issue-2.py")
os.chmod("/scratch/locked/inner", 0)
os.chmod("/scratch/locked", 0)
""", note="the next script finds an empty scratch"),
    Attack("files that a later candidate would import", """
import site
for folder in ("/scratch", "/tmp", "/dev/shm", site.getusersitepackages(), os.path.expanduser("~"), os.getcwd()):
    os.makedirs(folder, exist_ok=True)
    for name in ("hostile_left", "usercustomize", "sitecustomize", "torch", "site", "json"):
        open(f"{folder}/{name}.py", "w").write("print('THROUGH', __file__)\\n")
    open(f"{folder}/hostile.pth", "w").write("import hostile_left\\n")
os.makedirs("/scratch/.cache/inductor", exist_ok=True)
open("/scratch/.cache/inductor/hostile_left.py", "w").write("print('THROUGH', __file__)\\n")
""", next_script="""
import glob, os, sys
sys.path += ["/tmp", "/dev/shm"]
for name in ("hostile_left", "usercustomize", "sitecustomize", "json"):
    try:
        print(__import__(name).__name__)
    except ImportError:
        pass
for path in ("/tmp/*.py", "/dev/shm/*", "/scratch/.cache/inductor/*", os.path.expanduser("~/.local/*")):
    for found in glob.glob(path):
        print("THROUGH", found)
"""),
]
