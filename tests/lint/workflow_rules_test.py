#!/usr/bin/env python3
"""The workflows keep the rules of workflow_rules.py, and each rule finds its breach."""
import os
import pathlib
import unittest

import workflow_rules

ROOT = pathlib.Path(os.environ.get("SOURCE_ROOT", pathlib.Path(__file__).parents[2]))
GOOD = """on: [push]
permissions: {}
jobs:
  a:
    steps:
      - uses: actions/checkout@0123456789012345678901234567890123456789 # v6.0.2
        with:
          persist-credentials: false
      - uses: ./
        with:
          command: ${{ inputs.command }}
      - env:
          X: ${{ inputs.x }}
        run: |
          echo "$X"
      - name: ${{ inputs.name }}
"""


class WorkflowRules(unittest.TestCase):
    def test_every_workflow_keeps_the_rules(self):
        files = sorted(ROOT.glob("workflows/*.yml")) + sorted(ROOT.glob(".github/workflows/*.yml"))
        self.assertGreaterEqual(len(files), 2)
        for path in files:
            with self.subTest(path.name):
                self.assertEqual(workflow_rules.breaches(path.read_text()), [])

    def test_no_token_reaches_the_job_that_runs_scripts(self):
        text = (ROOT / "workflows/nightly-scan.yml").read_text()
        device = text[text.index("\n  device:"):text.index("\n  conclude:")]
        for word in ("github.token", "secrets.", "permissions:", "uses: ./", "checkout"):
            self.assertNotIn(word, device)

    def test_good_workflow_has_no_breach(self):
        self.assertEqual(workflow_rules.breaches(GOOD), [])

    def test_each_breach_is_found(self):
        pin = "0123456789012345678901234567890123456789 # v6.0.2"
        for old, new, words in (
            ("checkout@" + pin, "checkout@v6", "line 6: pin the action"),
            ("checkout@" + pin, "checkout@" + pin[:40], "line 6: pin the action"),
            ("uses: ./", "uses: docker://debian:12", "line 9: pin the action"),
            ("permissions: {}\n", "", "permissions: {} is missing"),
            ("permissions: {}\n", "permissions: write-all\n", "permissions: {} is missing"),
            ("on: [push]", "on: pull_request_target", "line 1: the trigger pull_request_target"),
            ("on: [push]", "on: [push, issue_comment]", "line 1: the trigger issue_comment"),
            ("on: [push]", "on:\n  workflow_run:", "line 2: the trigger workflow_run"),
            ("on: [push]", "on:\n  - workflow_run", "line 2: the trigger workflow_run"),
            ("persist-credentials: false", "fetch-depth: 1", "line 6: a checkout keeps the token"),
            ("persist-credentials: false", "persist-credentials: true", "line 6: a checkout keeps the token"),
            ('echo "$X"', 'echo "${{ inputs.x }}"', "line 15: an expression in a script"),
            ("run: |\n", "run: echo ${{ inputs.x }}\n", "line 14: an expression in a script"),
        ):
            with self.subTest(new):
                self.assertIn(old, GOOD)
                found = workflow_rules.breaches(GOOD.replace(old, new, 1))
                self.assertTrue(any(words in sentence for sentence in found), found)


if __name__ == "__main__":
    unittest.main()
