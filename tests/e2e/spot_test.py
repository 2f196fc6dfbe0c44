"""spot, explain and doctor as a person uses them, on the small world with the stand-in for torch."""
import json
import pathlib
import shutil
import tempfile
import unittest

import fake_github
from support.binary import ledger, run
from support.small_world import small_world
from support.stand_in import make_interpreter


class SpotTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.folder.chmod(0o755)
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.python = make_interpreter(cls.folder)
        cls.server = fake_github.Server(small_world(), cls.folder)
        cls.addClassCleanup(cls.server.__exit__, None, None, None)
        cls.server.__enter__()

    def go(self, *arguments, env=None):
        return run(*arguments, "--target", "cpu", "--workspace", self.folder, "--cache-dir", self.folder / "cache", "--python",
                   self.python, "--clone-url", f"{self.server.base}/pytorch/pytorch.git",
                   env={"GITHUB_API_URL": self.server.base, "GITHUB_TOKEN": "t", **(env or {})})

    def directory(self, name):
        return self.folder / "agent_space_xpu/runs" / name

    def test_an_issue(self):
        done = self.go("spot", "issue:101")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = ledger(self.directory("spot-issue-101"))
        self.assertEqual({key: row["local_bucket"] for key, row in rows.items()}, {"issue-101": "confirmed"})

    def test_a_title_that_a_scan_rejects_is_looked_at(self):
        done = self.go("spot", "https://github.com/pytorch/pytorch/pull/110")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(ledger(self.directory("spot-pr-110"))["pr-110"]["title_status"], "pass")

    def test_a_head_that_moved_is_refused(self):
        done = self.go("spot", "pr:111@" + "a" * 40)
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("its head is now", done.stderr)

    def test_an_item_that_is_not_there(self):
        done = self.go("spot", "issue:999")
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("no item 999", done.stderr)

    def test_not_a_reference(self):
        done = self.go("spot", "101")
        self.assertEqual(done.returncode, 64)
        self.assertIn("issue:N", done.stderr)

    def event(self, content):
        path = self.folder / "event.json"
        path.write_text(json.dumps(content))
        return {"GITHUB_EVENT_PATH": str(path)}

    def test_the_event_of_another_repository_names_an_item(self):
        done = self.go("spot", env=self.event({"repository": {"full_name": "a/b"}, "pull_request": {
            "number": 1, "title": "port https://github.com/pytorch/pytorch/issues/103", "body": "$(touch /tmp/x)"}}))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(ledger(self.directory("spot-issue-103"))["issue-103"]["local_bucket"], "not-reproduced")

    def test_an_event_without_an_item_is_no_failure(self):
        done = self.go("spot", env=self.event({"repository": {"full_name": "a/b"}, "issue": {"number": 1, "title": "x"}}))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("nothing to check", done.stdout)

    def test_explain_gives_the_trace(self):
        self.assertEqual(self.go("spot", "issue:102").returncode, 0)
        done = run("explain", "issue-102", "--run", self.directory("spot-issue-102"), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = json.loads(done.stdout)
        self.assertEqual(trace["judgement"]["bucket"], trace["row"]["local_bucket"])
        self.assertTrue(trace["judgement"]["rules_asked"])
        self.assertTrue(trace["composition"]["edits"])
        self.assertEqual(run("explain", "issue-5", "--run", self.directory("spot-issue-102")).returncode, 64)

    def test_doctor_says_what_is_good_and_what_is_missing(self):
        good = self.go("doctor")
        self.assertEqual(good.returncode, 0, good.stdout + good.stderr)
        self.assertNotIn("FAIL", good.stdout)
        bad = run("doctor", "--target", "cpu", "--python", "/nonexistent/python", "--cache-dir", self.folder / "cache",
                  env={"GITHUB_API_URL": self.server.base})
        self.assertEqual(bad.returncode, 72, bad.stdout)
        self.assertIn("FAIL  interpreter: ", bad.stdout)
        self.assertIn("GITHUB_TOKEN", bad.stdout)


if __name__ == "__main__":
    unittest.main()
