# ends: exited 0
# result: thread 2.0
import threading
import torch


def late():
    threading.main_thread().join()
    print("RESULT: thread", torch.ones(2).sum().item())


threading.Thread(target=late).start()
print("end")
