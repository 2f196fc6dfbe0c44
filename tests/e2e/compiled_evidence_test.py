"""Why a verdict never comes from an instrumented run: a bug of the compiler is seen by the plain run and would be
missed under the dispatch mode of the proof run, which makes torch.compile run everything eagerly."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "demo"))
import day

# The demo day's bug that only inductor has: compiled and eager results differ.
COMPILED_ONLY = "issue-900106"


def script_of(candidate):
    item = next(item for item in day.items() if f"{item.kind}-{item.header.get('number')}" == candidate)
    code = item.body.split("```python\n")[1].split("```")[0]
    return code.replace('"cuda"', '"cpu"')


class CompiledEvidenceTest(unittest.TestCase):
    def run_as(self, role):
        request = {"op": "run", "role": role, "script": script_of(COMPILED_ONLY), "timeout_millis": 420_000}
        driver = subprocess.run([os.environ["SANDBOX_DRIVER"], "cpu", "/usr/bin/python3", os.environ["TORCH_ROOT"], "address-space"],
                                input=json.dumps(request) + "\n", capture_output=True, text=True, timeout=600, check=True)
        return json.loads(driver.stdout)

    def test_the_plain_run_sees_the_bug(self):
        answer = self.run_as("verdict")
        self.assertEqual((answer["kind"], answer["exit_status"]), ("exited", 1), answer["output"])
        self.assertGreater(answer["report"]["compiled_graphs"], 0)

    def test_an_instrumented_run_would_miss_it(self):
        answer = self.run_as("proof")
        self.assertEqual((answer["kind"], answer["exit_status"]), ("exited", 0), answer["output"])


if __name__ == "__main__":
    unittest.main()
