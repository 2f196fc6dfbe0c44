# ends: raised ModuleNotFoundError
import torch
import a_module_that_nobody_has
