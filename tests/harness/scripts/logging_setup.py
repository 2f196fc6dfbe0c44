# ends: exited 0
# result: 1
import logging
import torch

logging.getLogger("early").warning("to the last resort")
print(logging.root.handlers, logging.root.level)
logging.basicConfig(format="%(levelname)s %(name)s %(message)s", level=logging.INFO)
logging.info("from the root")
print("RESULT:", len(logging.root.handlers))
