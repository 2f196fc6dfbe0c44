"""The npm packages of tests/node/package-lock.json, installed into the cache without scripts, once for each lock file."""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess

LOCK = pathlib.Path(__file__).resolve().parents[1] / "node" / "package-lock.json"


def node_modules():
    """The folder of the installed packages; downloads them when they are not there."""
    caches = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    cache = pathlib.Path(os.environ.get("XPU_ALIGN_CACHE") or caches / "xpu-align")
    place = cache / f"node-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]}"
    place.mkdir(parents=True, exist_ok=True)
    with open(place / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / ".done").exists():
            for name in ("package.json", "package-lock.json"):
                shutil.copy(LOCK.with_name(name), place / name)
            subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=place,
                           check=True)
            (place / ".done").touch()
    return place / "node_modules"
