# ends: exited 0
# result: [-6] or an error
import multiprocessing
import torch


def work(results):
    try:
        torch.ones(2, requires_grad=True).sum().backward()
        results.put("worked")
    except RuntimeError as error:
        results.put(str(error).splitlines()[0])


torch.ones(2, requires_grad=True).sum().backward()
context = multiprocessing.get_context("fork")
results = context.Queue()
child = context.Process(target=work, args=(results,))
child.start()
print(results.get(), child.join(), child.exitcode)
print("RESULT: [-6] or an error")
