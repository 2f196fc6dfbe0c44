"""Scripts behave alike as a fork of the server and in a fresh interpreter, with the real torch ($TORCH_ROOT).

Each file of scripts/ was written for this. Its head says how it must end:
  # ends: exited N | raised TYPE (which exits with 1) | signalled NAME
  # result: what its last RESULT line says; without it there is none
  # isolation: process, when a fork could not be alike and must not be used
Each runs as a fork of a server that has imported torch, of one that has imported the compiler, too, and as a fresh
process; outcome, exception, result, evidence and output must be equal.
"""
import json
import os
import pathlib
import re
import unittest

from hostile.sandbox_world import Sandbox, identities

SCRIPTS = sorted(pathlib.Path(__file__).with_name("scripts").glob("*.py"))
MEASURED = ("duration_millis", "peak_bytes", "isolation")
MEASURED_TEXT = re.compile(r"0x[0-9a-f]+|\bpid(\(s\))? \d+|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \d+:\d+")
# Of a crash handler its own frames and the list of what is loaded; how deep below them a recursion came.
NOT_THE_SCRIPTS = re.compile(r'^  File "/harness/.*\n|^\nExtension modules: .*\n|repeated \d+ more times', re.M)
TIMEOUT_MILLIS = 400_000


def heads(script):
    return dict(re.findall(r"^# (ends|result|isolation): (.*)$", script, re.M))


def ending(answer):
    if answer["kind"] == "signalled":
        return "signalled " + answer["signal"]
    if "exception" in answer["report"] and answer["exit_status"] == 1:
        return "raised " + answer["report"]["exception"]["type"]
    return f"{answer['kind']} {answer['exit_status']}"


def compared(answer):
    """The answer as text, without what differs from run to run."""
    out = {name: value for name, value in answer.items() if name not in MEASURED}
    del out["log_lines"]  # the output once more, with the harness's own frames
    out["output"] = NOT_THE_SCRIPTS.sub("", answer["output"]).splitlines()
    return MEASURED_TEXT.sub("NUMBER", json.dumps(out, indent=1, ensure_ascii=False))


class ForkAndProcess(unittest.TestCase):
    maxDiff = 20_000

    @classmethod
    def setUpClass(cls):
        root = os.environ["TORCH_ROOT"]
        cls.sandboxes = {preload: Sandbox(identities()[0], memory_limit="address-space", python="/usr/bin/python3", root=root,
                                          preload=preload) for preload in ((), ("COMPILED",))}

    @classmethod
    def tearDownClass(cls):
        for sandbox in cls.sandboxes.values():
            assert sandbox.close() == 0

    def answer(self, path, preload, isolation):
        answer = self.sandboxes[preload].run(path.read_text(encoding="utf-8"), isolation, name=path.name, timeout_millis=TIMEOUT_MILLIS)
        self.assertNotIn("error", answer)
        return answer

    def test_there_are_enough_scripts(self):
        self.assertGreaterEqual(len(SCRIPTS), 40)

    def check(self, path):
        head = heads(path.read_text(encoding="utf-8"))
        fresh = self.answer(path, (), "process")
        self.assertEqual((ending(fresh), fresh["report"].get("result_line", "")), (head["ends"], head.get("result", "")), fresh["output"])
        for preload in self.sandboxes:
            forked = self.answer(path, preload, "fork-server")
            self.assertEqual(forked["isolation"], head.get("isolation", "fork-server"))
            self.assertMultiLineEqual(compared(forked), compared(fresh), f"preloaded: {preload}")


for _path in SCRIPTS:
    setattr(ForkAndProcess, "test_" + _path.stem, lambda self, path=_path: self.check(path))

if __name__ == "__main__":
    unittest.main()
