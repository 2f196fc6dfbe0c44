# ends: exited 0
# result: [0.0, 3.0, 6.0]
import multiprocessing
import torch


def work(x):
    return (torch.ones(3) * x).sum().item()


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print("RESULT:", pool.map(work, range(3)))
