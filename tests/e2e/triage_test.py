"""Triage as a person uses it: own rules, the sample of rejections, the answer of explain."""
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "score"))
import corpus  # noqa: E402
from support.binary import ledger, run, tree  # noqa: E402

OWN = {"schema": "xpu-align/triage-rules@1", "off": ["mps-tag", "diff-exclusive"],
       "title": [{"id": "own-zebra", "action": "reject", "pattern": "zebra", "reason": "zebras are handled elsewhere"}]}
ITEMS = ("id: issue-1\ntitle: [MPS] ring gives zeros", "id: issue-2\ntitle: zebra crashes in a compiled loop",
         "id: issue-3\ntitle: [docs] Explain the ring", "id: issue-4\ntitle: [docs] Explain the wheel",
         "id: issue-5\ntitle: [docs] Explain the axle")


class TriageTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.directory = self.folder / "2026-11-28-to-2026-11-28"
        items = [corpus.Item(text) for text in ITEMS] + [corpus.Item(
            (corpus.ROOT / "details" / name).read_text()) for name in ("exclusive-mps.md", "twin-topk.md")]
        corpus.write_run(self.directory, [item.raw() for item in items], [item.details() for item in items])
        self.rules = self.folder / "own.json"
        self.rules.write_text(json.dumps(OWN))

    def manifest(self):
        return json.loads((self.directory / "artifacts/manifest.json").read_text())

    def test_own_rules_are_used_said_and_recorded(self):
        done = run("filter", self.directory, "--rules", self.rules)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = ledger(self.directory)
        self.assertEqual(rows["issue-1"]["title_status"], "pass")
        self.assertEqual((rows["issue-2"]["title_status"], rows["issue-2"]["title_rule"]), ("reject", "own-zebra"))
        self.assertEqual(rows["pr-800042"]["deep_status"], "pass")
        self.assertIn("own rules own.json: added own-zebra; switched off mps-tag, diff-exclusive", done.stderr)
        recorded = self.manifest()["own_rules"]
        self.assertEqual((recorded["file"], recorded["added"], recorded["off"]),
                         ("own.json", ["own-zebra"], ["mps-tag", "diff-exclusive"]))

    def test_own_rules_are_part_of_the_identity(self):
        self.assertEqual(run("filter", self.directory).returncode, 0)
        before = tree(self.directory)
        done = run("filter", self.directory, "--rules", self.rules)
        self.assertEqual(done.returncode, 78)
        self.assertIn("rules_sha256", done.stderr)
        self.assertEqual(tree(self.directory), before)

    def test_own_rules_that_are_wrong_stop_before_anything_is_written(self):
        before = tree(self.directory)
        for text in ("{", "[]", '{"schema": "xpu-align/triage-rules@1", "off": ["no-such-rule"]}',
                     '{"schema": "xpu-align/triage-rules@1", "title": [{"id": "x", "action": "reject", "pattern": "("}]}'):
            self.rules.write_text(text)
            done = run("filter", self.directory, "--rules", self.rules)
            self.assertEqual(done.returncode, 78, (text, done.stderr))
            self.assertEqual(tree(self.directory), before)
        self.assertEqual(run("filter", self.directory, "--rules", self.folder / "gone.json").returncode, 78)

    def test_own_rules_must_do_what_their_examples_say(self):
        before = tree(self.directory)
        for wrong, said in (({"hits": ["a gnu"]}, 'rule own-zebra does not hold for its own hit "a gnu"'),
                            ({"near_misses": ["zebras"]}, 'rule own-zebra holds for its own near miss "zebras"')):
            self.rules.write_text(json.dumps({**OWN, "title": [{**OWN["title"][0], **wrong}]}))
            done = run("filter", self.directory, "--rules", self.rules)
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn(said, done.stderr)
            self.assertEqual(tree(self.directory), before)

    def test_many_candidates_are_said_with_narrower_windows(self):
        for count, said in ((200, False), (201, True)):
            directory = self.folder / str(count) / corpus.WINDOW["start"]
            items = [corpus.Item(f"id: issue-{n}\ntitle: ring {n} is wrong\nat: 2026-11-{28 + n % 2}T01:00:00Z").raw()
                     for n in range(1, count + 1)]
            corpus.write_run(directory, items + [corpus.Item("id: issue-999\ntitle: [docs] Explain").raw()])
            done = run("filter", directory)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("201 candidates pass the title rules; narrower windows: 2026-11-28: 100; 2026-11-29: 101"
                             in done.stderr, said, done.stderr)

    def test_features_are_shown_and_decide_nothing(self):
        item = corpus.Item("id: issue-7\ntitle: ring gives zeros on B200\nlabels: module: crash, module: mps\n\n"
                           "### Versions\n\n```python\nimport torch\nx = torch.ones(2, device='cuda')\nprint(x + 1)\n```")
        directory = self.folder / "features" / "2026-11-28-to-2026-11-28"
        corpus.write_run(directory, [item.raw()], [item.details()])
        self.assertEqual(run("filter", directory).returncode, 0)
        answer = json.loads(run("explain", "issue-7", "--run", directory, "--json").stdout)
        self.assertEqual([(f["id"], f["seen"]) for f in answer["features"]],
                         [("crash", "module: crash"), ("other-platform", "module: mps"), ("hardware", "B200"),
                          ("report-form", "### Versions")])
        self.assertEqual(answer["row"]["deep_status"], "pass")
        self.assertIn('features  crash ("module: crash"): the process ends', run("explain", "issue-7", "--run", directory).stdout)

    def test_sample_shows_some_of_each_reason_and_the_same_again(self):
        done = run("filter", self.directory, "--sample", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("title: docs-tag (2 of 3)\n", done.stdout)
        self.assertIn("deep: platform-exclusive (1 of 1)\n", done.stdout)
        self.assertIn("https://github.com/pytorch/pytorch/pull/800042", done.stdout)
        self.assertEqual(run("filter", self.directory, "--sample", "2").stdout, done.stdout)

    def test_stats_count_every_rule(self):
        lines = run("filter", self.directory, "--stats").stdout.splitlines()
        self.assertIn("title\tdocs-tag\t3", lines)
        self.assertIn("title\tmps-tag\t1", lines)
        self.assertIn("deep-rule\tdiff-exclusive\t1", lines)

    def test_explain_is_readable(self):
        self.assertEqual(run("filter", self.directory).returncode, 0)
        twin = corpus.candidate_id("commit-topk-ties")
        done = run("explain", twin, "--run", self.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("twin of src/ATen/native/xpu/sycl/TensorTopK* (rule cuda-twin)", done.stdout)
        self.assertIn("Keep the order of equal values in topk", done.stdout)
        rejected = run("explain", "issue-1", "--run", self.directory).stdout
        self.assertIn("title     reject (rule mps-tag: Metal only)", rejected)
        self.assertIn('matched "[MPS]"', rejected)
        answer = json.loads(run("explain", twin, "--run", self.directory, "--json").stdout)
        self.assertEqual(answer["files"][0]["class"], "twin")

    def test_explain_says_when_it_knows_other_rules(self):
        self.assertEqual(run("filter", self.directory, "--rules", self.rules).returncode, 0)
        self.assertIn("other rules", run("explain", "issue-1", "--run", self.directory).stderr)
        self.assertNotIn("other rules", run("explain", "issue-1", "--run", self.directory, "--rules", self.rules).stderr)

    def test_the_target_selects_its_rules(self):
        done = run("filter", self.directory, "--target", "cuda")
        self.assertEqual(done.returncode, 0, done.stderr)
        twin = corpus.candidate_id("commit-topk-ties")
        answer = json.loads(run("explain", twin, "--run", self.directory, "--json").stdout)
        self.assertEqual(answer["files"][0]["class"], "shared")


if __name__ == "__main__":
    unittest.main()
