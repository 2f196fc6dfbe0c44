"""Runs the main job on the demo day: a fake GitHub on loopback, the real binary, a real torch. Called by
scripts/demo and by tests; arguments after `--` go to `xpu-align run`."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import day  # noqa: E402
import fake_github  # noqa: E402


def run_demo(program, interpreter, workspace, cache, target, *more, **options):
    """The finished process of `xpu-align run` on the demo day. `program`: the words that stand before `run`;
    `interpreter`: the options that name it; `options` go to subprocess.run."""
    with tempfile.TemporaryDirectory() as folder, fake_github.Server(day.world(), folder) as server:
        commit = server.world.oids[day.expectations()["build_commit"]]
        command = [*map(str, program), "run", "--since", day.DAY, "--target", target, "--workspace", str(workspace), "--cache-dir",
                   str(cache), "--clone-url", f"{server.base}/{day.REPOSITORY}.git", *map(str, interpreter)]
        if target != "cpu":
            command += ["--build-commit", commit]
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(workspace), "GITHUB_API_URL": server.base,
                       "GITHUB_TOKEN": "of-the-demo-day"}
        done = subprocess.run([*command, *more], env=environment, check=False, **options)
        for complaint in server.verdict():
            print(f"the fake GitHub: {complaint}", file=sys.stderr)
        return done


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("binary", "torch-root", "workspace", "cache", "target"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("more", nargs="*")
    given = parser.parse_args()
    done = run_demo([given.binary], ["--python-root", given.torch_root], given.workspace, pathlib.Path(given.cache, "demo-clone"), given.target,
                    "--fresh", *given.more)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
