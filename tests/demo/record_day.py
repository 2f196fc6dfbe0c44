#!/usr/bin/env python3
"""Records the demo day: one collect against the fake GitHub and real git, into recorded/, from where scripts/demo and tests
replay it. To be run when the day, or what collect asks, has changed; equal days give equal bytes.
Usage: record_day.py BINARY"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import day  # noqa: E402
import fake_github  # noqa: E402

TOKEN = "of-the-demo-day"


def record(binary, folder, workspace, world=None, *more):
    """The finished `xpu-align collect` that wrote a recording into the new folder `folder`."""
    with tempfile.TemporaryDirectory() as home, fake_github.Server(world or day.world(), home) as server:
        command = [str(binary), "collect", "--since", day.DAY, "--record", str(folder), "--workspace", str(workspace),
                   "--cache-dir", home, "--clone-url", f"{server.base}/{day.REPOSITORY}.git", *map(str, more)]
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": home, "GITHUB_API_URL": server.base, "GITHUB_TOKEN": TOKEN,
                       "SOURCE_DATE_EPOCH": day.MORNING_AFTER}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    for complaint in server.verdict():
        done.stderr += f"the fake GitHub: {complaint}\n"
        done.returncode = done.returncode or 1
    return done


def main(binary):
    with tempfile.TemporaryDirectory() as scratch:
        fresh = pathlib.Path(scratch, "recorded")
        done = record(binary, fresh, scratch)
        sys.stderr.write(done.stderr)
        if done.returncode:
            return done.returncode
        shutil.rmtree(day.RECORDED, ignore_errors=True)
        shutil.copytree(fresh, day.RECORDED)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
