# ends: exited 0
# result: kept back until the end
import logging
import logging.handlers
import sys
import torch

logger = logging.getLogger("script")
logger.addHandler(logging.handlers.MemoryHandler(100, target=logging.StreamHandler(sys.stdout)))
logger.warning("RESULT: kept back until the end")
print("end", torch.ones(1).item())
