# ends: exited 0
# result: True True ['0', '1', '2', '3']
import os
import resource
import signal
import sys

descriptors = [name for name in sorted(os.listdir("/proc/self/fd")) if os.path.exists(f"/proc/self/fd/{name}")]
print("RESULT:", os.getsid(0) == os.getpid(), os.getpgrp() == os.getpid(), descriptors)
print(os.getppid(), oct(os.umask(0)), os.nice(0), sys.stdin.read(), sys.flags.utf8_mode)
print([resource.getrlimit(getattr(resource, name)) for name in sorted(dir(resource)) if name.startswith("RLIMIT_")])
print([str(number) for number in signal.valid_signals() if signal.getsignal(number) not in (signal.SIG_DFL, None)])
print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
