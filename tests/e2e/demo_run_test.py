"""The demo day ends as tests/demo/expected.json says, with the shipped binary and a real torch ($TORCH_ROOT): on
the CPU, and on the second device, which shows what a CPU cannot."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["SOURCE_ROOT"], "tests/demo"))
import day  # noqa: E402
import fake_github  # noqa: E402
from run_demo import run_demo  # noqa: E402
from support.binary import BINARY, ledger, run_directory  # noqa: E402

TORCH_ROOT = pathlib.Path(os.environ["TORCH_ROOT"])


def torch_version():
    text = next(TORCH_ROOT.glob("usr/lib/python3/dist-packages/torch/version.py")).read_text(encoding="utf-8")
    return next(line.split("'")[1] for line in text.splitlines() if line.startswith("__version__"))


class DemoRunTest(unittest.TestCase):
    maxDiff = None

    def ledger_of(self, target):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            with fake_github.Server(day.world(), folder) as server:
                oids = dict(server.world.oids)
            done = run_demo(BINARY, TORCH_ROOT, f"{folder}/workspace", f"{folder}/cache", target, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)
            self.assertEqual(done.returncode, 0, done.stdout)
            rows = ledger(run_directory(f"{folder}/workspace"))
        found = {name: {"title_status": row["title_status"], "deep_status": row["deep_status"],
                        "bucket": row.get("local_bucket"), "decided_by": row.get("decided_by")} for name, row in rows.items()}
        expected = day.expected(target, torch_version(), oids)
        differences = {name: (expected.get(name), found.get(name)) for name in sorted({*expected, *found})
                       if expected.get(name) != found.get(name)}
        self.assertEqual(differences, {}, done.stdout)
        return rows

    def test_on_the_cpu(self):
        rows = self.ledger_of("cpu")
        self.assertFalse([name for name, row in rows.items() if row.get("verdict") == "needs-xpu-fix"])

    def test_on_the_second_device(self):
        rows = self.ledger_of("testdev")
        for name, entry in day.expectations()["candidates"].items():
            if "testdev" in entry.get("signature_class", {}):
                self.assertEqual(rows[name]["signature"]["class"], entry["signature_class"]["testdev"], name)
            if "testdev" in entry.get("verdict", {}):
                self.assertEqual(rows[name]["verdict"], entry["verdict"]["testdev"], name)
        fallbacks = [row["bucket_reason"]["text"] for row in rows.values()
                     if row.get("bucket_reason", {}).get("rule") == "cpu-fallback"]
        self.assertTrue(fallbacks)
        for text in fallbacks:
            self.assertRegex(text, r"ran on the CPU instead of testdev: aten::\w+")


if __name__ == "__main__":
    unittest.main()
