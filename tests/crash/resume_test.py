"""A run that is killed anywhere and started again ends with the same report, and runs nothing twice.

A small world of a dozen candidates and an interpreter that starts in milliseconds (a stand-in for torch), killed
after and in the middle of each append to the ledger, and at random instants by kill -9.
Usage: resume_test.py KILL_AT_APPEND
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import fake_github
from support.binary import BINARY, NOW, VARIABLE_FILES, WINDOW, ledger, run_directory, tree
from support.small_world import small_world
from support.stand_in import make_interpreter

KILL_AT_APPEND = None
RANDOM_KILLS = 20


class ResumeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.folder.chmod(0o755)
        cls.python = make_interpreter(cls.folder)
        cls.server = fake_github.Server(small_world(), cls.folder)
        cls.server.__enter__()
        cls.reference = cls.new_workspace()
        cls.start([BINARY], cls.reference).wait_checked(0)
        cls.expected = tree(run_directory(cls.reference), VARIABLE_FILES)

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__(None, None, None)
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def new_workspace(cls):
        return pathlib.Path(tempfile.mkdtemp(dir=cls.folder))

    @classmethod
    def start(cls, program, workspace):
        return Started(
            [*program, "run", *WINDOW, "--target", "cpu", "--workspace", str(workspace), "--cache-dir", str(cls.folder / "cache"),
             "--clone-url", f"{cls.server.base}/pytorch/pytorch.git", "--python", str(cls.python)],
            {"PATH": "/usr/bin:/bin", "HOME": str(cls.folder), "GITHUB_API_URL": cls.server.base, "GITHUB_TOKEN": "t", **NOW})

    def check_resumed(self, workspace, what):
        directory = run_directory(workspace)
        before = {path.name: path.stat().st_mtime_ns for path in (directory / "artifacts/evidence").glob("*.json")}
        done_before = {row["id"] for row in self.rows_on_disk(directory) if row.get("evidence_sha256")}
        self.start([BINARY], workspace).wait_checked(0)
        actual = tree(directory, VARIABLE_FILES)
        self.assertEqual(sorted(actual), sorted(self.expected), what)
        for name, content in self.expected.items():
            self.assertEqual(actual[name], content, f"{what}: {name}")
        for row_id in done_before:
            name = f"{row_id}.json"
            self.assertEqual((directory / "artifacts/evidence" / name).stat().st_mtime_ns, before[name],
                             f"{what}: {row_id} was done and ran again")

    @staticmethod
    def rows_on_disk(directory):
        try:
            text = (directory / "artifacts/candidate_ledger.jsonl").read_text(encoding="utf-8")
        except FileNotFoundError:
            return []
        rows = {}
        for line in text[:text.rfind("\n") + 1].splitlines():
            row = json.loads(line)
            rows[row["id"]] = row
        return rows.values()

    def test_the_reference_run_executes_scripts(self):
        rows = ledger(run_directory(self.reference))
        self.assertGreaterEqual(len(rows), 12)
        self.assertGreaterEqual(sum(row.get("decided_by") == "run" for row in rows.values()), 4)

    def test_killed_at_every_append(self):
        appends = 0
        while True:
            appends += 1
            workspace = self.new_workspace()
            how = "whole" if appends % 2 else "torn"
            status = self.start([KILL_AT_APPEND, str(appends), how], workspace).wait()
            if status == 0:
                break  # the run has fewer appends
            self.assertEqual(status, -9, f"append {appends}")
            self.check_resumed(workspace, f"killed at append {appends} ({how})")
            shutil.rmtree(workspace)
        self.assertGreater(appends, 20)

    def test_killed_at_random_instants(self):
        chance = random.Random(20261128)  # the instants, not the outcome, are random
        begin = time.monotonic()
        self.start([BINARY], self.new_workspace()).wait_checked(0)
        whole = time.monotonic() - begin
        for number in range(RANDOM_KILLS):
            workspace = self.new_workspace()
            started = self.start([BINARY], workspace)
            started.kill_after(chance.uniform(0.0, whole))
            self.check_resumed(workspace, f"random kill {number}")
            shutil.rmtree(workspace)


class Started:
    """A run in the background; its messages go to a file, so a full pipe can not stop it."""

    def __init__(self, command, environment):
        self.log = tempfile.TemporaryFile(mode="w+", encoding="utf-8")
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def wait(self):
        return self.process.wait(timeout=300)

    def __del__(self):
        self.log.close()

    def wait_checked(self, status):
        found = self.wait()
        with self.log:
            self.log.seek(0)
            text = self.log.read()
        if found != status:
            raise AssertionError(f"exit status {found}, expected {status}:\n{text[-4000:]}")
        return text

    def kill_after(self, seconds):
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


if __name__ == "__main__":
    KILL_AT_APPEND = sys.argv.pop(1)
    unittest.main()
