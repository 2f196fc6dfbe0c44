"""Every offline stage works on a directory made by hand with only its documented inputs, and gives the same
bytes when it runs twice. Nothing here touches network, clone or interpreter."""
import json
import pathlib
import shutil
import tempfile
import unittest

from support.binary import ledger, run, tree

SCRIPT = "import torch\nx = torch.zeros(3, device=\"cuda\")\nassert x.sum().item() == 1\n"
BODY = f"The result is wrong.\n\n```python\n{SCRIPT}```\n\nThe assertion fails.\n"
ZERO = "0" * 64
ISSUE = {"id": "issue-11", "kind": "issue", "title": "torch.zeros is not one", "url": "https://github.com/pytorch/pytorch/issues/11"}
OTHER = {"id": "issue-12", "kind": "issue", "title": "[docs] Explain zeros", "url": "https://github.com/pytorch/pytorch/issues/12"}
STATES = {"title_status": "pass", "deep_status": "pending", "local_status": "pending", "local_bucket": None}


def attempt(number, **report):
    return {"arm": "target", "role": "verdict", "number": number, "isolation": "process",
            "outcome": {"kind": "exited", "exit_status": 1}, "script_sha256": "", "log": "artifacts/output_issue-11.log",
            "output_sha256": ZERO, "output_capped": False, "tail": "AssertionError\n",
            "report": {"complete": True, "live_tensors": {"cpu": 1}, "device_peak_bytes": 0, "compiled_graphs": -1,
                       "exception": {"type": "AssertionError", "message": "",
                                     "frames": [{"file": "<script>", "function": "<module>", "line": 3}]}, **report}}


class OfflineStagesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(), "2026-11-28-to-2026-11-28")
        self.addCleanup(shutil.rmtree, self.folder.parent)

    def write(self, path, content):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")

    def write_ledger(self, *rows):
        self.write("artifacts/candidate_ledger.jsonl", "".join(json.dumps(row) + "\n" for row in rows))

    def stage(self, name, *arguments, code=0):
        done = run(name, self.folder, "--target", "cpu", *arguments, cwd=self.folder.parent)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def twice(self, name, *arguments):
        self.stage(name, *arguments)
        first = tree(self.folder, ["timing.json"])
        self.stage(name, *arguments)
        self.assertEqual(tree(self.folder, ["timing.json"]), first, f"{name} is not the same twice")

    def write_filter_inputs(self):
        self.write("artifacts/raw_candidates.json", {
            "schema": "xpu-align/raw-candidates@1", "repository": "pytorch/pytorch",
            "window": {"start": "2026-11-28", "end": "2026-11-28"},
            "candidates": [{**item, "number": int(item["id"][6:]), "events": [{"name": "created", "at": "2026-11-28T01:00:00Z"}]}
                           for item in (ISSUE, OTHER)]})
        self.write("artifacts/details/issue-11.json", {"schema": "xpu-align/details@1", **ISSUE, "body": BODY})

    def test_filter(self):
        self.write_filter_inputs()
        self.write_ledger({**ISSUE, **STATES}, {**OTHER, **STATES, "title_status": "reject"})
        self.twice("filter")
        rows = ledger(self.folder)
        self.assertEqual(rows["issue-11"]["deep_status"], "pass")
        self.assertEqual(rows["issue-12"]["title_status"], "reject")

    def test_unknown_members_are_kept(self):
        self.write_filter_inputs()
        self.write_ledger({**ISSUE, **STATES, "from_the_future": {"a": 1}})
        self.stage("filter")
        self.assertEqual(ledger(self.folder)["issue-11"]["from_the_future"], {"a": 1})

    def write_compose_inputs(self):
        self.write("artifacts/details/issue-11.json", {"schema": "xpu-align/details@1", **ISSUE, "body": BODY})
        self.write_ledger({**ISSUE, **STATES, "deep_status": "pass"})

    def test_compose(self):
        self.write_compose_inputs()
        self.twice("compose")
        script = (self.folder / "scripts/repro_issue-11.py").read_text()
        self.assertIn('torch.zeros(3, device="cpu")', script)
        self.assertEqual(ledger(self.folder)["issue-11"]["strategy"], "reported-script")

    def write_evidence(self):
        self.write("artifacts/evidence/issue-11.json", {
            "schema": "xpu-align/evidence@1", "id": "issue-11", "target": "cpu", "torch_version": "2.14.1",
            "sandbox_level": "namespaces", "canaries": [], "attempts": [attempt(1), attempt(2)]})
        self.write("artifacts/output_issue-11.log", "AssertionError\n")

    def test_judge_and_settle_and_report(self):
        self.write_compose_inputs()
        self.stage("compose")
        self.write_evidence()
        script_hash = ledger(self.folder)["issue-11"]["script_sha256"]
        evidence = json.loads((self.folder / "artifacts/evidence/issue-11.json").read_text())
        for one in evidence["attempts"]:
            one["script_sha256"] = script_hash
        self.write("artifacts/evidence/issue-11.json", evidence)
        self.twice("judge")
        self.assertEqual(ledger(self.folder)["issue-11"]["local_bucket"], "confirmed")
        self.twice("settle")
        self.assertEqual(ledger(self.folder)["issue-11"]["verdict"], "track-upstream")
        self.write("artifacts/raw_candidates.json", {
            "schema": "xpu-align/raw-candidates@1", "repository": "pytorch/pytorch",
            "window": {"start": "2026-11-28", "end": "2026-11-28"},
            "candidates": [{**ISSUE, "number": 11, "events": []}]})
        self.twice("report")
        report = (self.folder / "reports/full_scan.md").read_text()
        self.assertIn("Target: cpu. No XPU evidence in this report.", report)
        self.assertIn("\nLocal XPU result: `confirmed`\n", report)
        self.stage("audit")

    def test_audit_with_fail_on(self):
        self.test_judge_and_settle_and_report()
        before = tree(self.folder)
        for bucket in ("confirmed", "related-failure"):
            self.assertEqual(run("audit", self.folder, "--fail-on", bucket).returncode, 1)
        self.assertEqual(run("audit", self.folder).returncode, 0)
        self.assertEqual(tree(self.folder), before)

    def test_audit_finds_what_was_changed_by_hand(self):
        self.test_judge_and_settle_and_report()
        report = self.folder / "reports/full_scan.md"
        report.write_text(report.read_text().replace("Local XPU result: `confirmed`", "Local XPU result: `not-reproduced`"))
        self.assertIn("issue-11", self.stage("audit", code=3).stderr)

    def test_a_damaged_file_is_named(self):
        self.write_compose_inputs()
        self.write("artifacts/details/issue-11.json", '{"schema": "xpu-align/details@1", ')
        self.assertIn("artifacts/details/issue-11.json", run("compose", self.folder, "--target", "cpu").stderr)


if __name__ == "__main__":
    unittest.main()
