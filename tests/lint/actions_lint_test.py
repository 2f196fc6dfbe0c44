#!/usr/bin/env python3
"""action.yml and the workflows are valid for GitHub's own language service (npm, into the cache, without scripts)."""
import os
import pathlib
import subprocess
import tempfile
import unittest

from support.node_tools import node_modules

HERE = pathlib.Path(__file__).parent.resolve()
ROOT = pathlib.Path(os.environ.get("SOURCE_ROOT", HERE.parents[1]))


def lint(action, *workflows):
    result = subprocess.run(
        ["node", "--no-warnings", "--import", str(HERE / "json_modules.mjs"), str(HERE / "actions_lint.mjs"),
         str(node_modules()), str(action), *map(str, workflows)], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


class ActionsLint(unittest.TestCase):
    def test_ours_are_valid(self):
        files = sorted(ROOT.glob("workflows/*.yml")) + sorted(ROOT.glob(".github/workflows/*.yml"))
        self.assertEqual(lint(ROOT / "action.yml", *files), (0, "0 findings\n"))

    def test_faults_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            action, workflow = pathlib.Path(folder) / "action.yml", pathlib.Path(folder) / "broken.yml"
            action.write_text("name: x\ndescription: y\ninputs:\n  a:\n    description: z\nruns:\n  using: node24\n"
                              "  main: x.cjs\nbogus: 1\n")
            workflow.write_text("on: push\njobs:\n  j:\n    runs-on: ubuntu-24.04\n    steps:\n"
                                "      - uses: ./\n        with:\n          b: ${{ nothing.here }}\n"
                                "      - run: x\n        unknown: 1\n")
            status, output = lint(action, workflow)
        self.assertEqual(status, 1)
        for words in ("action.yml:9: Unexpected value 'bogus'", "broken.yml:8: Unrecognized named-value: 'nothing'",
                      "broken.yml:10: Unexpected value 'unknown'",
                      "broken.yml:0: job j: action.yml has no input 'b'", "4 findings"):
            self.assertIn(words, output)


if __name__ == "__main__":
    unittest.main()
