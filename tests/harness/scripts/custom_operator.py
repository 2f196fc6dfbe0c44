# A name that one script registers is free for the next one.
# ends: exited 0
# result: tensor([2., 2.])
import torch


@torch.library.custom_op("fork_check::double", mutates_args=())
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2


print("RESULT:", torch.ops.fork_check.double(torch.ones(2)))
