"""Asks the interpreter about itself: one line of JSON, the last of the output.

The device is touched here, in a process of its own. TARGET_MODULE and TARGET_AVAILABLE come in the
environment.
"""
import json
import os
import platform

facts = {"python_version": platform.python_version()}
try:
    import torch
except Exception as error:
    facts["import_error"] = f"{type(error).__name__}: {error}"[:500]
else:
    facts["torch_version"] = str(torch.__version__)
    facts["git_version"] = str(getattr(torch.version, "git_version", None) or "")
    try:
        facts["device_available"] = bool(eval(os.environ["TARGET_AVAILABLE"]))
        module = torch
        for part in os.environ["TARGET_MODULE"].split(".")[1:]:
            module = getattr(module, part)
        name = getattr(module, "get_device_name", None)
        facts["device_name"] = str(name(0)) if facts["device_available"] and name else ""
    except Exception as error:
        facts["device_error"] = f"{type(error).__name__}: {error}"[:500]
print(json.dumps(facts))
