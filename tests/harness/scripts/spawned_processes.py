# ends: exited 0
# result: [0.0, 3.0] 4
import multiprocessing
import sys
import torch


def work(x):
    return (torch.ones(3) * x).sum().item()


def leave(status):
    sys.exit(status)


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        results = pool.map(work, range(2))
    child = context.Process(target=leave, args=(4,))
    child.start()
    child.join()
    print("RESULT:", results, child.exitcode)
