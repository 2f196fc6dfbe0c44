"""Ctrl-C and SIGTERM end a run while a script is running: at once, with exit status 130, without a surviving
process and without a row for the script; the same command then finishes.

The script waits in the stand-in for torch as long as a file is there; it names its process, so that it is found.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import fake_github
from support.binary import BINARY, NOW, SOURCE_ROOT, WINDOW, ledger, run_directory

HELD = "held-script"
PATIENCE = 120  # seconds until the script must have started
AT_ONCE = 5  # seconds; it is a fraction of one on an idle machine
HOLD = """

def hold():
    import os, time
    with open("/proc/self/comm", "w") as name:
        name.write({name!r})
    while os.path.exists(os.path.join(os.path.dirname(__file__), "hold")):
        time.sleep(0.05)
"""
BODY = ('```python\nimport torch\nx = torch.zeros(3, device="cuda")\ntorch.hold()\nraise RuntimeError("size 3 is odd")\n```\n'
        '```\nTraceback (most recent call last):\n  File "a.py", line 3, in <module>\nRuntimeError: size 3 is odd\n```\n')
WORLD = {"repository": "pytorch/pytorch", "pulls": [],
         "issues": [{"number": 101, "title": "torch.add fails on odd shapes", "body": BODY, "author": "ada",
                     "created_at": "2026-11-28T01:00:00Z"}],
         "git": {"pytorch/pytorch": [{"name": "c0", "at": "2026-11-27T10:00:00Z", "message": "Start",
                                      "files": {"torch/__init__.py": "x = 1\n"}, "refs": ["refs/heads/main"]}]}}


def stat_fields(pid):
    """(name, parent, start time), or None when the process has ended."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
    return None if rest[0] in "ZX" else (name, int(rest[1]), rest[19])


def descendants(root):
    """pid -> (name, parent, start time) of everything below `root`."""
    everything = {int(entry): stat_fields(entry) for entry in os.listdir("/proc") if entry.isdigit()}
    found, grew = {}, True
    while grew:
        more = {pid: fields for pid, fields in everything.items()
                if fields and pid not in found and (fields[1] == root or fields[1] in found)}
        found.update(more)
        grew = bool(more)
    return found


class InterruptTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        venv = self.folder / "venv"
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--without-pip", str(venv)], check=True)
        site = next((venv / "lib").glob("python3*/site-packages"))
        shutil.copytree(SOURCE_ROOT / "tests/support/torch_stand_in/torch", site / "torch")
        self.hold = site / "torch/hold"
        self.hold.touch()
        with open(site / "torch/__init__.py", "a", encoding="utf-8") as module:
            module.write(HOLD.format(name=HELD))
        self.python = venv / "bin/python"

    def start(self, server, isolation):
        command = [BINARY, "run", *WINDOW, "--target", "cpu", "--workspace", str(self.folder / "workspace"), "--cache-dir",
                   str(self.folder / "cache"), "--clone-url", f"{server.base}/pytorch/pytorch.git", "--python",
                   str(self.python), "--isolation", isolation]
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "GITHUB_API_URL": server.base, "GITHUB_TOKEN": "t",
                       **NOW}
        log = tempfile.TemporaryFile(mode="w+", encoding="utf-8")
        self.addCleanup(log.close)
        return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log), log

    def ended(self, process, log, seconds):
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = "still running"
        log.seek(0)
        return status, log.read()

    def wait_for_script(self, process, log):
        """Everything below the run, once its script is held."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            below = descendants(process.pid)
            if any(name == HELD for name, _, _ in below.values()):
                return below
            try:
                process.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                continue
            break
        self.fail(f"the script was never held: {self.ended(process, log, 0)}")

    def check(self, number, isolation):
        with fake_github.Server(WORLD, self.folder) as server:
            process, log = self.start(server, isolation)
            below = self.wait_for_script(process, log)
            process.send_signal(number)
            status, text = self.ended(process, log, AT_ONCE)
            self.assertEqual(status, 130, text)
            self.assertIn("run the same command again", text)
            # A process that was killed is reaped by init in its own time: a new look, not the first one.
            deadline = time.monotonic() + AT_ONCE
            alive = lambda: {pid for pid, fields in below.items() if (stat_fields(pid) or "???")[2] == fields[2]}
            while alive() and time.monotonic() < deadline:
                continue
            self.assertEqual(alive(), set())
            directory = run_directory(self.folder / "workspace")
            row = ledger(directory)["issue-101"]
            self.assertEqual((row["local_status"], row.get("local_bucket"), row.get("evidence_sha256", "")), ("pending", None, ""))
            self.assertFalse((directory / "artifacts/evidence/issue-101.json").exists())

            self.hold.unlink()
            process, log = self.start(server, isolation)
            status, text = self.ended(process, log, PATIENCE)
            self.assertEqual(status, 0, text)
            self.assertEqual(ledger(directory)["issue-101"]["local_bucket"], "confirmed")

    def test_ctrl_c_while_a_fresh_process_runs(self):
        self.check(signal.SIGINT, "process")

    def test_sigterm_while_a_forked_script_runs(self):
        self.check(signal.SIGTERM, "fork-server")


if __name__ == "__main__":
    unittest.main()
