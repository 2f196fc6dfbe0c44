"""The demo day is complete in itself: what it promises to show is there, and every candidate has an expectation."""
import json
import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["SOURCE_ROOT"], "tests/demo"))
import day  # noqa: E402

BUCKETS = {"confirmed", "related-failure", "not-reproduced", "blocked-env", "blocked-platform", "blocked-fetch",
           "blocked-script-error", "needs-performance-harness"}
# The Python blocks that a report opens with.
SCRIPT = re.compile(r"^```py(?:thon)?\n(.*?)^```", re.M | re.S)


def rows():
    with open(day.HERE / "expected.json", encoding="utf-8") as file:
        return json.load(file)["candidates"]


class DemoDayTest(unittest.TestCase):
    def test_every_candidate_has_an_expectation_and_no_other_has(self):
        self.assertEqual(set(rows()), day.candidates())

    def test_at_least_forty_candidates_of_three_kinds(self):
        self.assertGreaterEqual(len(rows()), 40)
        self.assertEqual({re.split("[-:]", name)[0] for name in rows()}, {"issue", "pr", "commit"})

    def test_all_buckets_occur_and_executed_scripts_give_the_four_of_a_run(self):
        results = day.expected("cpu", "2.14.1+debian").values()
        self.assertEqual({row["bucket"] for row in results} - {None}, BUCKETS)
        for bucket in ("confirmed", "related-failure", "not-reproduced", "blocked-script-error"):
            self.assertTrue([row for row in results if (row["bucket"], row["decided_by"]) == (bucket, "run")], bucket)

    def test_the_second_device_shows_what_the_cpu_cannot(self):
        for column, value in (("signature_class", "worse-than-reference"), ("verdict", "needs-xpu-fix")):
            self.assertTrue([n for n, row in rows().items() if row.get(column, {}).get("testdev") == value], value)

    def test_an_unknown_torch_has_no_expectations(self):
        for target in ("cpu", "testdev"):
            with self.assertRaisesRegex(day.NoExpectations, r"^no expectations for torch 9\.0\.0"):
                day.expected(target, "9.0.0")
        with self.assertRaises(day.NoExpectations):
            day.expected("no-such-target", "2.14.1")

    def test_rejected_candidates_have_no_bucket_and_others_have_one(self):
        for name, row in rows().items():
            self.assertEqual("results" in row, row["deep_status"] == "pass", name)
            self.assertFalse(row["title_status"] == "reject" and row["deep_status"] == "pass", name)
        for target in ("cpu", "testdev"):
            for name, row in day.expected(target, "2.14.1").items():
                self.assertEqual(row["bucket"] in BUCKETS, row["deep_status"] == "pass", name)

    def test_the_scripts_are_python_and_short(self):
        scripts = {item.number: SCRIPT.search(item.body) for item in day.items() if item.kind == "issue"}
        found = {number: match[1] for number, match in scripts.items() if match}
        self.assertGreater(len(found), 20)
        for number, script in found.items():
            compile(script, f"issue {number}", "exec")
            self.assertLessEqual(len(script.splitlines()), 25, number)

    def test_the_history_is_in_order_and_every_head_exists(self):
        history = day.history()
        seen = set()
        for commit in history:
            self.assertTrue(commit["parent"] is None or commit["parent"] in seen, commit["name"])
            self.assertTrue(commit["files"], commit["name"])
            seen.add(commit["name"])
        refs = {ref for commit in history for ref in commit["refs"]}
        self.assertLessEqual({f"refs/pull/{p['number']}/head" for p in day.world()["pulls"]}, refs)
        self.assertLessEqual({"refs/heads/main", "refs/heads/gh/ada-k/4/base", "refs/heads/gh/ada-k/5/base"}, refs)
        with open(day.HERE / "expected.json", encoding="utf-8") as file:
            self.assertIn(json.load(file)["build_commit"], seen)

    def test_a_landed_request_names_itself_in_its_trunk_commit(self):
        for item in day.items():
            for commit in item.commits:
                if item.kind == "pr" and commit["options"]["on"] == "main":
                    self.assertEqual(item.header["state"], "closed")
                    resolved = f"Pull Request resolved: https://github.com/pytorch/pytorch/pull/{item.number}\n"
                    self.assertIn(resolved, commit["message"])

    def test_object_ids_turn_commit_names_into_candidate_ids(self):
        named = day.expected("cpu", "2.14.1")
        ids = {name.removeprefix("commit:"): "ab" * 20 for name in named if name.startswith("commit:")}
        resolved = day.expected("cpu", "2.14.1", ids)
        self.assertIn("commit-abababababab", resolved)
        self.assertFalse([name for name in resolved if ":" in name])


if __name__ == "__main__":
    unittest.main(verbosity=2)
