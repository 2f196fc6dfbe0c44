"""Checks the shipped binary on a machine with an accelerator and prints what was seen, as Markdown for
docs/evidence/. Needs the static binary, git and an interpreter with torch for the target; installs nothing.
Called by scripts/device-check."""
import argparse
import hashlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "demo")]
import day  # noqa: E402
import fake_github  # noqa: E402
from support.binary import ledger  # noqa: E402



class Scan:
    """Runs of one binary over one day of the device, in one workspace."""

    def __init__(self, given, name, folder):
        self.given, self.folder = given, pathlib.Path(folder)
        self.world = day.world(day.items(HERE / name))
        self.directory = self.folder / "agent_space_xpu/runs" / f"{day.DAY}-to-{day.DAY}"

    def run(self, *more):
        with tempfile.TemporaryDirectory() as served, fake_github.Server(self.world, served) as server:
            command = [self.given.binary, "run", "--since", day.DAY, "--target", self.given.target, "--workspace", self.folder,
                       "--cache-dir", self.folder / "cache", "--clone-url", f"{server.base}/{day.REPOSITORY}.git",
                       "--python", self.given.python, "--timeout", "20", *more]
            environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "GITHUB_API_URL": server.base,
                           "GITHUB_TOKEN": "of-the-device-day"}
            begin = time.monotonic()
            done = subprocess.run([*map(str, command)], env=environment, stdout=subprocess.PIPE, text=True, check=False)
            return done.returncode, time.monotonic() - begin

    def rows(self):
        return ledger(self.directory)

    def evidence(self, row_id):
        path = self.directory / f"artifacts/evidence/{row_id}.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"attempts": []}


class Checks:
    """Collects what does not hold; `failed` decides the exit status."""

    def __init__(self):
        self.failed = 0

    def compare(self, what, found, expected):
        good = found == expected
        self.failed += not good
        print(f"| {what} | {found} | {'as expected' if good else f'**expected {expected}**'} |")


def compare_rows(checks, scan, expected):
    print("\n| candidate | found | |\n| --- | --- | --- |")
    rows = scan.rows()
    for row_id, entry in expected.items():
        row = rows.get(row_id, {})
        for column, name in (("bucket", "local_bucket"), ("verdict", "verdict"), ("hold", "hold")):
            if column in entry:
                checks.compare(f"{row_id} {column}", row.get(name), entry[column])


def print_attempts(scan):
    timing = json.loads((scan.directory / "artifacts/timing.json").read_text(encoding="utf-8")).get("execute", {})
    print("\n| candidate | attempts (arm role isolation outcome) | milliseconds |\n| --- | --- | --- |")
    for row_id in sorted(scan.rows()):
        attempts = [f"{a['arm']} {a['role']} {a['isolation']} {a['outcome']['kind']}" for a in scan.evidence(row_id)["attempts"]]
        if attempts:
            durations = [str(entry.get("duration_millis")) for entry in timing.get(row_id, [])]
            print(f"| {row_id} | {'; '.join(attempts)} | {' '.join(durations)} |")


def check_day(given, checks, name, expected):
    with tempfile.TemporaryDirectory() as folder:
        scan = Scan(given, name, folder)
        status, seconds = scan.run()
        environment = json.loads((scan.directory / "artifacts/environment.json").read_text(encoding="utf-8"))
        print(f"\n## {name}: {seconds:.0f} s\n")
        for member in ("torch_version", "device_name", "sandbox_level", "isolation"):
            print(f"- {member}: {environment.get(member)}")
        print_attempts(scan)
        compare_rows(checks, scan, expected["candidates"])
        checks.compare("exit status", status, expected["exit_code"])
        audit = [given.binary, "audit", str(scan.directory)]
        checks.compare("audit", subprocess.run(audit, stdout=subprocess.DEVNULL, check=False).returncode, 0)
        if "resumed" not in expected:
            return
        status, seconds = scan.run()
        print(f"\n### The same command again: {seconds:.0f} s")
        compare_rows(checks, scan, expected["resumed"]["candidates"])
        checks.compare("exit status", status, expected["resumed"]["exit_code"])


def main():
    expected = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
    days = [name for name in expected if name != "schema"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--commit", default="unknown", help="that the binary was built from")
    parser.add_argument("days", nargs="*", default=days, help="folders beside this file; default: all")
    given = parser.parse_args()
    digest = hashlib.sha256(pathlib.Path(given.binary).read_bytes()).hexdigest()
    print(f"# Device check, target {given.target}\n\n- commit {given.commit}\n- binary sha256 {digest}\n- kernel {platform.release()}")
    checks = Checks()
    for name in given.days:
        check_day(given, checks, name, expected[name])
    print(f"\n{checks.failed} differences")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
