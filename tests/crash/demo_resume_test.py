"""The demo day with the real torch, killed after ten of its ledger appends, ends each time with the same bytes as a
run that nobody killed. Long: ten runs of the day, two at a time.
Usage: demo_resume_test.py KILL_AT_APPEND"""
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "demo"))
from run_demo import run_demo
from support.binary import BINARY, VARIABLE_FILES, ledger, run_directory, tree

TORCH_ROOT = os.environ["TORCH_ROOT"]
KILL_AT_APPEND = None
KILLS = 10


class DemoResumeTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_in(self, name, *program):
        (self.folder / name).mkdir(exist_ok=True)
        return run_demo(program or [BINARY], ["--python-root", TORCH_ROOT], self.folder / name, self.folder / f"cache-{name}", "cpu",
                        capture_output=True, text=True, timeout=1800)

    def killed_and_resumed(self, append):
        name = f"killed-{append}"
        killed = self.run_in(name, KILL_AT_APPEND, append, "whole" if append % 2 else "torn")
        resumed = self.run_in(name)
        return append, killed.returncode, resumed, tree(run_directory(self.folder / name), VARIABLE_FILES)

    def test_killed_at_ten_appends(self):
        reference = self.run_in("reference")
        self.assertEqual(reference.returncode, 0, reference.stderr[-3000:])
        expected = tree(run_directory(self.folder / "reference"), VARIABLE_FILES)
        rows = ledger(run_directory(self.folder / "reference"))
        # One append a row in collect and in filter, then compose, execute, judge and settle: spread over all.
        last = 2 * len(rows) + 3 * sum(row.get("decided_by") == "run" for row in rows.values())
        appends = [1 + (last - 1) * number // (KILLS - 1) for number in range(KILLS)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for append, status, resumed, actual in pool.map(self.killed_and_resumed, appends):
                with self.subTest(append=append):
                    self.assertEqual(status, -9)
                    self.assertEqual(resumed.returncode, 0, resumed.stderr[-3000:])
                    self.assertEqual([name for name in expected if actual.get(name) != expected[name]], [])
                    self.assertEqual(sorted(actual), sorted(expected))


if __name__ == "__main__":
    KILL_AT_APPEND = sys.argv.pop(1)
    unittest.main()
