# ends: raised TypeError
# result: [7. 1.] float32 True
import numpy
import torch

array = numpy.ones(2, dtype="float32")
tensor = torch.from_numpy(array)
tensor[0] = 7
print("RESULT:", array, tensor.numpy().dtype, numpy.shares_memory(array, tensor.numpy()))
numpy.random.seed(4)
print(numpy.random.rand(2), numpy.random.default_rng(4).random())
numpy.asarray(torch.ones(2, dtype=torch.bfloat16))
