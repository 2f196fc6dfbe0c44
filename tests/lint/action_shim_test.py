#!/usr/bin/env python3
"""scripts/action.cjs starts the binary without a shell, passes inputs, exit code and signals, and keeps tokens back."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("SOURCE_ROOT", pathlib.Path(__file__).parents[2]))
SHIM = ROOT / "scripts/action.cjs"
# Writes what it was given; waits for a signal when told to.
STAND_IN = """#!/usr/bin/env python3
import json, os, signal, sys
def stop(number, frame):
    os.write(1, f"stopped by {signal.Signals(number).name}\\n".encode())  # may interrupt any line below
    os._exit(130)
signal.signal(signal.SIGINT, stop); signal.signal(signal.SIGTERM, stop)
with open(os.environ["SEEN"], "w") as f:
    json.dump({"arguments": sys.argv[1:], "environment": dict(os.environ)}, f)
if os.environ.get("WAIT"):
    os.write(1, b"ready\\n")
    signal.pause()
if os.environ.get("DIE"):
    os.kill(os.getpid(), int(os.environ["DIE"]))
sys.exit(int(os.environ.get("STATUS", "0")))
"""


class ActionShim(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        self.binary = self.path / "stand in; touch injected"
        self.binary.write_text(STAND_IN)
        self.binary.chmod(0o755)

    def start(self, **environment):
        variables = {"PATH": os.environ["PATH"], "SEEN": str(self.path / "seen"), "INPUT_BINARY": str(self.binary),
                     "GITHUB_OUTPUT": str(self.path / "output")}
        variables.update(environment)
        return subprocess.Popen(["node", str(SHIM)], env=variables, cwd=self.path, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def run_shim(self, **environment):
        process = self.start(**environment)
        output, _ = process.communicate(timeout=60)
        return process.returncode, output

    def seen(self):
        return json.loads((self.path / "seen").read_text())

    def test_inputs_arrive_untouched(self):
        status, output = self.run_shim(**{
            "INPUT_COMMAND": "collect", "INPUT_ARGUMENTS": "a b\n  $(touch injected)\n\n--x",
            "INPUT_CACHE-DIR": "with space; touch injected", "INPUT_TARGET": "xpu"})
        self.assertEqual((status, output), (0, ""))
        self.assertEqual(self.seen()["arguments"], ["collect", "a b", "$(touch injected)", "--x"])
        self.assertEqual(self.seen()["environment"]["INPUT_CACHE-DIR"], "with space; touch injected")
        self.assertEqual(self.seen()["environment"]["INPUT_TARGET"], "xpu")
        self.assertFalse((self.path / "injected").exists())

    def test_command_defaults_to_run(self):
        self.run_shim()
        self.assertEqual(self.seen()["arguments"], ["run"])

    def test_exit_code_is_passed_and_is_an_output(self):
        for code in ("0", "3", "72", "130"):
            self.assertEqual(self.run_shim(STATUS=code), (int(code), ""))
        self.assertEqual((self.path / "output").read_text(), "exit-code=0\nexit-code=3\nexit-code=72\nexit-code=130\n")

    def test_incomplete_may_be_a_warning_and_nothing_else_may(self):
        status, output = self.run_shim(STATUS="3", INPUT_INCOMPLETE="warn", INPUT_COMMAND="report")
        self.assertEqual(status, 0)
        self.assertEqual(output, "::warning::report is incomplete; the report has a progress checkpoint\n")
        self.assertEqual(self.run_shim(STATUS="71", INPUT_INCOMPLETE="warn"), (71, ""))

    def test_token_reaches_only_commands_that_may_use_it(self):
        expected = {"collect": "t0ken", "settle": "t0ken", "execute": None, "compose": None, "judge": None}
        for command, token in expected.items():
            self.run_shim(**{"INPUT_COMMAND": command, "INPUT_GITHUB-TOKEN": "t0ken", "GITHUB_TOKEN": "other",
                             "GH_TOKEN": "other"})
            environment = self.seen()["environment"]
            self.assertEqual(environment.get("GITHUB_TOKEN"), token, command)
            self.assertNotIn("INPUT_GITHUB-TOKEN", environment)
            self.assertNotIn("GH_TOKEN", environment)

    def test_tokens_of_the_runner_reach_only_upload(self):
        for command, value in (("run", None), ("execute", None), ("upload", "jwt")):
            self.run_shim(INPUT_COMMAND=command, ACTIONS_RUNTIME_TOKEN="jwt", ACTIONS_RESULTS_URL="https://x.test")
            self.assertEqual(self.seen()["environment"].get("ACTIONS_RUNTIME_TOKEN"), value, command)
            self.assertEqual("ACTIONS_RESULTS_URL" in self.seen()["environment"], value is not None)

    def test_signals_are_forwarded(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(WAIT="1")
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(number)
            output, _ = process.communicate(timeout=60)
            self.assertEqual((process.returncode, output), (130, f"stopped by {number.name}\n"))

    def test_a_killed_binary_is_no_success(self):
        self.assertEqual(self.run_shim(DIE=str(int(signal.SIGKILL)))[0], 70)

    def test_missing_binary_is_one_sentence(self):
        status, output = self.run_shim(INPUT_BINARY="no/such\n::set-env name=X::y")
        self.assertEqual(status, 1)
        self.assertEqual(output.count("\n"), 1)
        self.assertTrue(output.startswith("::error::xpu-align could not be started: "), output)


if __name__ == "__main__":
    unittest.main()
