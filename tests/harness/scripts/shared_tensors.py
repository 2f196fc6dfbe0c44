# ends: exited 0
# result: tensor([1., 5.])
import torch
import torch.multiprocessing as multiprocessing


def work(x):
    x[1] = 5


if __name__ == "__main__":
    x = torch.ones(2).share_memory_()
    child = multiprocessing.get_context("fork").Process(target=work, args=(x,))
    child.start()
    child.join()
    print("RESULT:", x)
