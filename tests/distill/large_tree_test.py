"""The XPU scope on a real PyTorch: headers and Python of $TORCH_ROOT in a repository that the test makes. Citations and
recall are checked by outside_check.py, which shares no code with the program."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from distill import torch_repository

PROGRAM = os.environ["XPU_ALIGN"]
HERE = pathlib.Path(__file__).parent
SCOPE = pathlib.Path(os.environ["SOURCE_ROOT"]) / "src/rules/distill/xpu.json"
WHOLE = {"files": 9000, "bytes": 200_000_000, "file_bytes": 4_000_000, "lines": 9_000_000, "facts": 100_000}


class LargeTreeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keep = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.keep.cleanup)
        cls.folder = pathlib.Path(cls.keep.name)
        cls.pin = torch_repository.commit_torch(os.environ["TORCH_ROOT"], cls.folder / "torch")

    def scope(self, change):
        scope = json.loads(SCOPE.read_text())
        scope["repos"] = [r | {"pin": self.pin} for r in scope["repos"] if r["id"] == "pytorch"]
        scope["repos"][0].pop("label")
        scope["exclude"] = [e for e in scope["exclude"] if e["repo"] == "pytorch"]
        for area in scope["areas"]:
            area["reads"] = [r for r in area["reads"] if r["repo"] == "pytorch"]
            # Of sources without a header there are none in an installed package.
            area["reads"][0]["include"] = [i for i in area["reads"][0]["include"] if not i.endswith(".cpp")]
        change(scope)
        path = self.folder / f"{self.id().rsplit('.', 1)[1]}.json"
        path.write_text(json.dumps(scope))
        self.out = path.with_suffix("")
        return str(path)

    def run_action(self, action, scope):
        done = subprocess.run([PROGRAM, "distill", action, "--scope", scope, "--repo", f"pytorch={self.folder / 'torch'}",
                               "--out", str(self.out), "--cache-dir", str(self.folder / "cache")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def check_outside(self):
        return subprocess.run([sys.executable, str(HERE / "outside_check.py"), str(self.out), f"pytorch={self.folder / 'torch'}"],
                              capture_output=True, text=True)

    def outside(self):
        done = self.check_outside()
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-2000:])
        return done.stdout

    def test_ten_areas(self):
        scope = self.scope(lambda s: None)
        self.run_action("build", scope)
        self.assertIn("everything resolves", self.run_action("verify", scope))
        self.assertRegex(self.outside(), r"recall of check: (\d+) of \1, 100")
        self.outside_notices()
        gaps = [g["member"] for g in json.loads((self.out / "reference-matrix.json").read_text())["gaps"] if g["backend"] == "xpu"]
        self.assertIn("DeviceGuardImplInterface::getDefaultStream", gaps)  # as the research found it by hand

    def outside_notices(self):
        """The check outside is no check unless it sees a wrong hash and a missing fact."""
        card = self.out / "skills/streams/card.json"
        good = card.read_text()
        for change in (lambda c: c["facts"][0]["cite"][0].update(quote="sha256:" + "0" * 64),
                       lambda c: c.update(facts=[f for f in c["facts"] if f["kind"] != "check"])):
            value = json.loads(good)
            change(value)
            card.write_text(json.dumps(value))
            done = self.check_outside()
            self.assertEqual(done.returncode, 1, done.stdout[-2000:])
            card.write_text(good)

    def test_whole_folders(self):
        def whole(scope):
            scope["areas"] = [scope["areas"][0] | {"id": "whole", "budget": WHOLE, "reads": [
                {"repo": "pytorch", "include": ["{c10,aten}/**/*.h", "torch/{_dynamo,distributed,nn,utils}/**/*.py"]}]}]
            scope["areas"][0].pop("kinds")
            scope["interfaces"], scope["exclude"], scope["owners"] = [], [], []
        self.run_action("build", self.scope(whole))
        figures = self.outside()
        print(figures)
        self.assertGreater(int(figures.split(" citations")[0].splitlines()[-1]), 15_000)


if __name__ == "__main__":
    unittest.main()
