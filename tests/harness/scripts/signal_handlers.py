# ends: exited 0
# result: ['SIGUSR1', 'SIGALRM']
import os
import signal
import torch

seen = []
for name in ("SIGUSR1", "SIGALRM"):
    signal.signal(getattr(signal, name), lambda number, frame: seen.append(signal.Signals(number).name))
os.kill(os.getpid(), signal.SIGUSR1)
signal.setitimer(signal.ITIMER_REAL, 0.01)
while len(seen) < 2:
    torch.ones(10).sum()
print("RESULT:", seen)
