# ends: exited 0
# result: RuntimeError
import multiprocessing
import torch


def work(results):
    try:
        torch.ones(2, requires_grad=True).sum().backward()
        results.put("worked")
    except RuntimeError as error:
        results.put(type(error).__name__)


torch.ones(2, requires_grad=True).sum().backward()
context = multiprocessing.get_context("fork")
results = context.Queue()
child = context.Process(target=work, args=(results,))
child.start()
print("RESULT:", results.get())
child.join()
print(child.exitcode)
