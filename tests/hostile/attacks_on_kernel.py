"""Attacks by system calls that widen the kernel's surface or the sandbox. Numbers are those of x86-64."""
from hostile.attack import KERNEL, NO_LIMITS, NOT_COVERED, Attack

NAMESPACES = """
for name, flag in (("user", 0x10000000), ("mount", 0x20000), ("pid", 0x20000000), ("net", 0x40000000),
                   ("cgroup", 0x2000000), ("time", 0x80)):
    call("unshare " + name, 272, flag)
call("clone", 56, 0x10000011, 0, 0, 0, 0)
call("setns", 308, os.open("/proc/self/ns/user", os.O_RDONLY), 0)
"""


def calls(name, script, **more):
    return Attack(name, script, refusals=("EPERM", "ENOSYS"), **more)


ATTACKS = [
    calls("mount", """
call("mount", 165, b"a", b"/tmp", b"tmpfs", 0, 0)
call("umount", 166, b"/tmp", 2)
call("remount", 165, b"none", b"/", 0, 32 | 4096, 0)
call("open_tree", 428, -100, b"/", 1)
call("fsopen", 430, b"tmpfs", 0)
call("pivot_root", 155, b".", b".")
call("chroot", 161, b"/tmp")
"""),
    calls("ptrace", """
for pid in {1, os.getppid(), places["sibling"]} - {0}:
    call(f"attach {pid}", 101, 16, pid, 0, 0)
    call(f"seize {pid}", 101, 0x4206, pid, 0, 0)
    call(f"read {pid}", 310, pid, 0, 0, 0, 0, 0)
    call(f"file of {pid}", 438, pid, 0, 0)
""", bubblewrap=NOT_COVERED, note="bubblewrap has no system call filter of its own"),
    calls("keyctl", """
call("keyctl", 250, 0, -3, 0)
call("add_key", 248, b"user", b"hostile", b"x", 1, -4)
call("request_key", 249, b"user", b"hostile", 0, -4)
""", bubblewrap=NOT_COVERED),
    calls("userfaultfd", "call('userfaultfd', 323, 1)", bubblewrap=KERNEL),
    calls("io_uring", "call('io_uring_setup', 425, 1, ctypes.create_string_buffer(120))", bubblewrap=KERNEL),
    calls("bpf", """
call("map", 321, 0, struct.pack("=IIII", 2, 4, 4, 1) + bytes(112), 128)
""", bubblewrap=KERNEL),
    calls("perf", """
call("perf", 298, struct.pack("=II", 1, 112) + bytes(104), 0, -1, -1, 0)
""", bubblewrap=KERNEL),
    calls("nested user namespaces", NAMESPACES),
    calls("TIOCSTI", """
call("TIOCSTI", 16, 0, 0x5412, b"x")
call("TIOCSTI, upper bits set", 16, 0, ctypes.c_ulong(0x100005412), b"x")
call("TIOCLINUX", 16, 0, 0x541C, b"\\3")
"""),
    calls("modules, kexec, clock", """
for name, number in (("init_module", 175), ("finit_module", 313), ("kexec_load", 246), ("clock_settime", 227),
                     ("reboot", 169), ("swapon", 167), ("open_by_handle_at", 304), ("iopl", 172), ("syslog", 103),
                     ("clone3", 435)):
    call(name, number, 0, 0, 0, 0, 0)
"""),
    Attack("calls of another architecture", """
import mmap
def in_a_child(name, ask):
    child = os.fork()
    if child == 0:
        os._exit(3 if ask() > 0 else 0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print("THROUGH" if status == 3 else "held", name, status)
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3")  # mov eax, 20 (getpid); int 0x80; ret
function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
in_a_child("32 bits", function)
in_a_child("x32", lambda: libc.syscall(0x40000000 + 39))
""", bubblewrap=KERNEL),
    Attack("become root", """
print([line for line in open("/proc/self/status") if line.startswith(("CapEff", "NoNewPrivs"))])
status = open("/proc/self/status").read()
if "CapEff:\\t0000000000000000" not in status or "NoNewPrivs:\\t1" not in status:
    print("THROUGH rights", status)
attempt("setuid", lambda: os.setuid(0))
attempt("setgroups", lambda: os.setgroups([0]))
"""),
    Attack("core dump to the machine's handler", """
call("setrlimit", 160, 4, (ctypes.c_long * 2)(0, 0))
call("setrlimit, upper bits set", 160, ctypes.c_ulong(0x100000004), (ctypes.c_long * 2)(0, 0))
call("prlimit, upper bits set", 302, 0, ctypes.c_ulong(0x100000004), (ctypes.c_long * 2)(0, 0), 0)
import resource
attempt("prlimit", lambda: resource.prlimit(0, resource.RLIMIT_CORE, (0, 0)))
""", bubblewrap=NO_LIMITS),
]
