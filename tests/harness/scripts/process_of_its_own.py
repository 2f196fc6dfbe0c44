# ends: exited 0
# result: True True
import os
import resource
import signal
import sys
import torch

print("RESULT:", os.getsid(0) == os.getpid(), os.getpgrp() == os.getpid())
links = [f"/proc/self/fd/{name}" for name in sorted(os.listdir("/proc/self/fd"))]
print([os.readlink(link).split(":")[0] for link in links if os.path.exists(link)])
print(os.getppid(), oct(os.umask(0)), os.nice(0), sys.stdin.read(), sys.flags.utf8_mode)
print([resource.getrlimit(getattr(resource, name)) for name in sorted(dir(resource)) if name.startswith("RLIMIT_")])
print([str(number) for number in signal.valid_signals() if signal.getsignal(number) not in (signal.SIG_DFL, None)])
print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
