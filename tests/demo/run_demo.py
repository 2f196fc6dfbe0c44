"""Runs the main job on the recorded demo day (recorded/, made by record_day.py): the real binary, a real torch, no network.
Called by scripts/demo and by tests; arguments after `--` go to `xpu-align run`."""
import argparse
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import day  # noqa: E402


def run_demo(program, torch_root, workspace, cache, target, *more, **options):
    """The finished process of `xpu-align run` on the demo day. `program`: the words that stand before `run`; `options` go
    to subprocess.run."""
    command = [*map(str, program), "run", "--replay", str(day.RECORDED), "--target", target, "--workspace", str(workspace),
               "--cache-dir", str(cache), "--python-root", str(torch_root)]
    if target != "cpu":
        command += ["--build-commit", day.recorded_ids()[day.expectations()["build_commit"]]]
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(workspace)}
    return subprocess.run([*command, *more], env=environment, check=False, **options)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("binary", "torch-root", "workspace", "cache", "target"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("more", nargs="*")
    given = parser.parse_args()
    done = run_demo([given.binary], given.torch_root, given.workspace, pathlib.Path(given.cache, "demo-clone"), given.target,
                    "--fresh", *given.more)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
