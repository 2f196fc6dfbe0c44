# ends: exited 0
# result: True (None, None)
import gc
import weakref
import torch


class Node:
    pass


first, second = Node(), Node()
first.other, second.other, first.tensor = second, first, torch.ones(4)
seen = weakref.ref(first), weakref.ref(first.tensor)
del first, second
print(gc.isenabled(), gc.get_threshold(), gc.collect() > 0)
print("RESULT:", gc.isenabled(), tuple(look() for look in seen))
