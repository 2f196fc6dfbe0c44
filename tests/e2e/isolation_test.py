"""The demo day with one interpreter forked per script and with a fresh one each time: every candidate ends in the same
bucket. Two runs of the main job a target; long."""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "demo"))
from run_demo import run_demo
from support.binary import BINARY, ledger, run_directory


class IsolationTest(unittest.TestCase):
    def buckets(self, target, isolation):
        """id -> what was decided, and the isolations that first attempts really had."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        for name in ("workspace", "cache"):
            (folder / name).mkdir()
        done = run_demo([BINARY], os.environ["TORCH_ROOT"], folder / "workspace", folder / "cache", target, "--isolation", isolation,
                        capture_output=True, text=True, timeout=3000)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        directory = run_directory(folder / "workspace")
        used = [json.loads(path.read_text(encoding="utf-8"))["attempts"][0]["isolation"]
                for path in sorted((directory / "artifacts/evidence").glob("*.json"))]
        decided = {row_id: (row["local_bucket"], row.get("decided_by"), row.get("bucket_reason", {}).get("rule"))
                   for row_id, row in ledger(directory).items()}
        return decided, used

    def check(self, target):
        forked, used = self.buckets(target, "fork-server")
        self.assertGreater(used.count("fork-server"), len(used) / 2)
        fresh, used = self.buckets(target, "process")
        self.assertEqual(set(used), {"process"})
        self.assertEqual(forked, fresh)

    def test_cpu(self):
        self.check("cpu")

    def test_second_device(self):
        self.check("testdev")


if __name__ == "__main__":
    unittest.main()
