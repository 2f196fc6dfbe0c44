# ends: raised KeyboardInterrupt
import os
import signal
import torch
os.kill(os.getpid(), signal.SIGINT)
torch.ones(2)
