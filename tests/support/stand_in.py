"""An interpreter that has the stand-in for torch (support/torch_stand_in): starts in milliseconds."""
import pathlib
import shutil
import subprocess

from support.binary import SOURCE_ROOT


def make_interpreter(folder):
    """Path of its python; `folder` must be readable by the sandbox's user."""
    venv = pathlib.Path(folder, "venv")
    subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", str(venv)], check=True)
    site = next((venv / "lib").glob("python3*/site-packages"))
    shutil.copytree(SOURCE_ROOT / "tests/support/torch_stand_in/torch", site / "torch")
    return venv / "bin/python"
