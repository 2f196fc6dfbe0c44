# ends: exited 0
# result: thread
import threading
import torch

main_is_done = threading.Event()


def late():
    threading.main_thread().join()
    print("RESULT: thread", torch.ones(2).sum().item() and "", end="\n")


threading.Thread(target=late).start()
print("end")
