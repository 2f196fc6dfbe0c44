"""Wrong input ends with one clear sentence and the documented code, never with a trace or silence."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import unittest

import fake_github
from support.binary import NOW, WINDOW, run, run_directory

WORLD = {"repository": "pytorch/pytorch", "issues": [
    {"number": 11, "title": "torch.foo crashes", "created_at": "2026-11-28T10:00:00Z", "author": "ada",
     "body": "```python\nimport torch\ntorch.zeros(1)\n```\n"}],
    "git": {"pytorch/pytorch": [{"name": "c0", "at": "2026-11-27T10:00:00Z", "message": "start",
                                "refs": ["refs/heads/main"], "files": {"a": "b"}}]}}


class BadInputTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(self.remove)

    def remove(self):
        subprocess.run(["chmod", "-R", "u+w", str(self.folder)], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def expect(self, done, code, *words):
        """The code, and every word in the last line of stderr, which is one sentence."""
        last = done.stderr.strip().split("\n")[-1]
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words:
            self.assertIn(word, last)
        self.assertNotIn("Traceback", done.stderr)

    def go(self, command="run", *arguments, env=None, world=WORLD):
        """Runs against a server of `world`."""
        with fake_github.Server(world, self.folder) as server:
            return run(command, *WINDOW, "--workspace", self.folder, "--cache-dir", self.folder / "cache", "--clone-url",
                       f"{server.base}/pytorch/pytorch.git", *arguments, cwd=self.folder,
                       env={"GITHUB_API_URL": server.base, "GITHUB_TOKEN": "t0ken", **(env or {})})

    def test_dead_server(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        done = run("collect", *WINDOW, "--workspace", self.folder, "--cache-dir", self.folder / "cache", "--clone-url",
                   url + "/x.git", cwd=self.folder, env={"GITHUB_API_URL": url, "GITHUB_TOKEN": "t"})
        self.expect(done, 69, url)

    TRUNCATED = [{"on": "GET /repos/", "cut_body": 40, "times": 10, "must_be_used": True}]

    def test_truncated_json_is_a_partial_run(self):
        done = self.go("collect", world={**WORLD, "faults": self.TRUNCATED})
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("not JSON", done.stderr)

    def test_truncated_json_and_no_repository(self):
        done = self.go("collect", world={**WORLD, "faults": self.TRUNCATED, "git": {}})
        self.expect(done, 69, "no source answered", "not JSON")

    def collection(self):
        return json.loads((run_directory(self.folder) / "artifacts/collection.json").read_text())

    def test_spent_allowance_is_a_partial_run(self):
        spent = [{"on": "POST /graphql", "status": 403, "headers": {"Retry-After": "3600"}}]
        done = self.go("collect", world={**WORLD, "faults": spent})
        self.assertEqual(done.returncode, 3, done.stderr)
        sources = {source["name"]: source for source in self.collection()["sources"]}
        self.assertFalse(sources["details"]["complete"])
        self.assertIn("rate limit, Retry-After: 3600 s to wait", sources["details"]["reason"])
        self.assertTrue(sources["issues-and-prs"]["complete"])

    def test_no_token_is_said(self):
        done = self.go("collect", env={"GITHUB_TOKEN": ""})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("REST only", done.stderr)
        self.assertIn("REST only, no token", self.collection()["limits"])
        self.assertEqual(self.collection()["requests"]["graphql"], 0)

    def test_refused_token(self):
        done = self.go("collect", world={**WORLD, "token": "another"})
        self.expect(done, 77, "token")
        self.assertNotIn("t0ken", done.stderr + done.stdout)

    def test_interpreter_missing(self):
        done = self.go("run", "--python", self.folder / "none/python")
        self.expect(done, 72, "none/python")
        self.assertNotIn("collect", done.stderr)  # said before anything is fetched

    def test_no_interpreter_at_all(self):
        self.expect(self.go("run"), 72, "--python")

    def test_interpreter_without_torch(self):
        # An interpreter of its own, so that whatever the machine has installed does not matter.
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", str(self.folder / "venv")], check=True)
        self.expect(self.go("run", "--python", self.folder / "venv/bin/python"), 72, "torch")

    def test_read_only_run_directory(self):
        runs = run_directory(self.folder).parent
        runs.mkdir(parents=True)
        runs.chmod(0o555)
        user = [] if os.getuid() else ["setpriv", "--reuid=65534", "--clear-groups"]
        if user:  # root writes everywhere
            self.folder.chmod(0o777)
        with fake_github.Server(WORLD, self.folder) as server:
            done = subprocess.run(
                [*user, os.environ["XPU_ALIGN"], "collect", *WINDOW, "--workspace", str(self.folder)], capture_output=True,
                text=True, env={"PATH": "/usr/bin:/bin", "GITHUB_API_URL": server.base, **NOW}, check=False)
        self.expect(done, 74, str(runs))

    def test_dates_reversed(self):
        self.expect(run("run", "--since", "2026-11-29", "--until", "2026-11-28"), 64, "2026-11-28", "before")

    def test_unknown_command_and_option(self):
        self.expect(run("colect"), 64, "did you mean 'collect'")
        self.expect(run("run", "--sinse", "x"), 64, "--sinse")

    def test_empty_argument(self):
        self.expect(run("report", "", cwd=self.folder), 64, "empty argument")

    def test_stage_without_a_scan(self):
        self.expect(run("judge", self.folder, cwd=self.folder), 74, str(self.folder), "run collect first")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_another_target_in_the_same_directory(self):
        first = self.go("collect", "--target", "cpu")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.expect(self.go("collect", "--target", "xpu"), 78, "target")
        self.assertEqual(self.go("collect", "--target", "xpu", "--fresh").returncode, 0)


if __name__ == "__main__":
    unittest.main()
