"""The main job on the demo day with the real torch, on the CPU and on the second device: every candidate ends
where expected.json says, and the run keeps its promises about bytes, files and time."""
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "demo"))
import day
from run_demo import run_demo
from support.binary import BINARY, VARIABLE_FILES, ledger, run, run_directory, tree

TORCH_ROOT = os.environ["TORCH_ROOT"]
TORCH_VERSION = re.search(r"torch-([0-9.]+)", pathlib.Path(TORCH_ROOT).name)[1]
BUCKETS = {"confirmed", "related-failure", "not-reproduced", "blocked-env", "blocked-platform", "blocked-fetch",
           "blocked-script-error", "needs-performance-harness"}


class DemoRun:
    """One run for all tests of a class; TARGET names it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.folder.chmod(0o755)
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        for name in ("workspace", "cache"):
            (cls.folder / name).mkdir()
        # Everything but workspace and cache is read-only: a run that ends well has written nothing else.
        prefix = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--bind", "/proc", "/proc", "--tmpfs", "/dev/shm"]
        for name in ("workspace", "cache"):
            prefix += ["--bind", str(cls.folder / name), str(cls.folder / name)]
        cls.done = run_demo([*prefix, BINARY], TORCH_ROOT, cls.folder / "workspace", cls.folder / "cache", cls.TARGET,
                            capture_output=True, text=True, timeout=1200)
        cls.directory = run_directory(cls.folder / "workspace")
        cls.rows = ledger(cls.directory)
        cls.report = (cls.directory / "reports/full_scan.md").read_text(encoding="utf-8")

    def test_every_candidate_ends_where_expected(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr[-3000:])
        expected = day.expected(self.TARGET, TORCH_VERSION, day.recorded_ids())
        self.assertEqual(sorted(self.rows), sorted(expected))
        for row_id, row in self.rows.items():
            with self.subTest(row_id, title=row["title"]):
                found = {"title_status": row["title_status"], "deep_status": row["deep_status"], "bucket": row["local_bucket"],
                         "decided_by": row.get("decided_by")}
                self.assertEqual(found, expected[row_id], row.get("bucket_reason") or row.get("deep_reason"))

    def test_nothing_outside_run_directory_and_cache_is_written(self):
        top = {path.relative_to(self.folder).parts[0] for path in self.folder.rglob("*")}
        self.assertEqual(top, {"workspace", "cache"})
        outside = [path for path in (self.folder / "workspace").rglob("*")
                   if path.is_file() and self.directory not in path.parents]
        self.assertEqual(outside, [])

    def test_report_is_complete_and_audited(self):
        self.assertIn("## Final Summary", self.report)
        self.assertEqual(run("audit", self.directory).returncode, 0)

    def test_overhead_is_small(self):
        self.assertLess(float(re.search(r"overhead: ([0-9.]+) s", self.done.stdout)[1]), 5.0)

    def test_offline_stages_give_the_same_bytes_again(self):
        before = tree(self.directory, ["timing.json"])
        extra = [] if self.TARGET == "cpu" else ["--build-commit", day.recorded_ids()[day.expectations()["build_commit"]]]
        extra += ["--replay", day.RECORDED]
        for stage in ("filter", "compose", "judge", "settle", "report"):
            done = run(stage, self.directory, *(extra if stage == "settle" else []),
                       env={"GITHUB_API_URL": "http://127.0.0.1:1"})
            self.assertEqual(done.returncode, 0, done.stderr)
        after = tree(self.directory, ["timing.json"])
        self.assertEqual([name for name in before if before[name] != after.get(name)], [])
        self.assertEqual(sorted(before), sorted(after))


class CpuDemoTest(DemoRun, unittest.TestCase):
    TARGET = "cpu"

    def test_the_day_is_rich_enough(self):
        self.assertGreaterEqual(len(self.rows), 40)
        self.assertEqual({row["kind"] for row in self.rows.values()}, {"issue", "pr", "commit"})
        self.assertEqual({row["local_bucket"] for row in self.rows.values()} - {None}, BUCKETS)
        by_run = {row["local_bucket"] for row in self.rows.values() if row.get("decided_by") == "run"}
        self.assertLessEqual({"confirmed", "related-failure", "not-reproduced", "blocked-script-error"}, by_run)

    def test_the_report_says_that_it_is_no_evidence(self):
        self.assertEqual(self.report.split("\n")[1], "Target: cpu. No XPU evidence in this report.")
        self.assertNotIn("needs-xpu-fix", {row.get("verdict") for row in self.rows.values()})

    def test_explain_names_the_rule_that_decided(self):
        done = run("explain", "issue-900106", "--run", self.directory, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('"rule": "signature-match"', done.stdout)

    def test_a_second_run_executes_nothing_again(self):
        before = tree(self.directory, VARIABLE_FILES)
        done = run_demo([BINARY], TORCH_ROOT, self.folder / "workspace", self.folder / "cache", "cpu", capture_output=True,
                        text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 run", done.stderr)
        self.assertEqual(tree(self.directory, VARIABLE_FILES), before)


class TestdevDemoTest(DemoRun, unittest.TestCase):
    TARGET = "testdev"

    def test_findings_of_a_real_backend_are_seen(self):
        fallbacks = [row["bucket_reason"]["text"] for row in self.rows.values()
                     if row.get("bucket_reason", {}).get("rule") == "cpu-fallback"]
        self.assertTrue(fallbacks)
        for text in fallbacks:
            self.assertRegex(text, r"ran on the CPU instead of testdev: aten::\w+")
        self.assertIn("worse-than-reference", {row.get("signature", {}).get("class") for row in self.rows.values()})
        self.assertIn("needs-xpu-fix", {row.get("verdict") for row in self.rows.values()})
        for name, entry in day.expectations()["candidates"].items():
            if "testdev" in entry.get("signature_class", {}):
                self.assertEqual(self.rows[name]["signature"]["class"], entry["signature_class"]["testdev"], name)
            if "testdev" in entry.get("verdict", {}):
                self.assertEqual(self.rows[name]["verdict"], entry["verdict"]["testdev"], name)


if __name__ == "__main__":
    unittest.main()
