"""Two commits of one repository: every state of a fact is exact, and a fact of the same key keeps its id."""
import unittest

from distill.project import Project

BEFORE = {
    "LICENSE": "x\n",
    "src/a.cc": ('void Same() { TORCH_CHECK(a, "same"); }\nvoid Moved() { TORCH_CHECK(b, "moved"); }\n'
                 'void Reformatted() { TORCH_CHECK(c > 0, "refor" "matted"); }\nconstexpr int kLimit = 16;\nconstexpr int kGone = 1;\n'
                 'void Reworded() { TORCH_CHECK(d, "reworded"); int x = 1; }\nvoid Message() { TORCH_CHECK(speed > 0, "old words"); }\n'),
    "src/b.cc": 'void Renamed() { TORCH_CHECK(e, "renamed"); }\nvoid Also() { TORCH_CHECK(e, "also renamed"); }\nconstexpr int kInRenamed = 3;\n',
    "src/c.cc": 'void Untouched() { TORCH_CHECK(f, "untouched"); }\nvoid Twin() { TORCH_CHECK(g, "twin"); }\nvoid Stay() { TORCH_CHECK(g, "stay"); }\n',
    "src/d.py": 'import os\nX = os.environ.get("MODE", "slow")\n',
}
AFTER = {
    "src/a.cc": ('void Same() { TORCH_CHECK(a, "same"); }\n// inserted\n// inserted\nvoid Moved() { TORCH_CHECK(b, "moved"); }\n'
                 'void Reformatted() {\n  TORCH_CHECK(c > 0,\n              "reformatted");\n}\nconstexpr int kLimit = 32;\n'
                 'void Reworded() { TORCH_CHECK(d, "reworded"); int x = 2; }\nvoid Message() { TORCH_CHECK(speed > 0, "new words"); }\n'
                 'constexpr int kFresh = 1;\n'),
    "src/d.py": 'import os\nX = os.environ.get("MODE", "fast")\n',
}


class DriftTest(unittest.TestCase):
    def setUp(self):
        self.project = Project(BEFORE, area={"budget": {"files": 9}, "reads": [{"repo": "source", "include": ["src/*"]}]})
        self.addCleanup(self.project.close)
        repository = self.project.repository
        (repository.directory / "other").mkdir()
        repository.git("mv", "src/b.cc", "other/renamed.cc")
        self.after = repository.commit(AFTER)
        self.project.build()
        self.cards = {f["id"]: f for f in self.project.facts()}

    def drift(self, *options, code=0):
        self.assertEqual(self.project.run("drift", "--pin", f"source={self.after}", *options), code, self.project.last)
        return self.project.json("drift.json")["areas"][0]

    def test_states(self):
        area = self.drift()
        states = {self.cards[f["id"]]["subject"]: f["state"] for f in area["facts"]}
        self.assertEqual(states, {
            "Same": "same", "Untouched": "same", "Twin": "same", "Stay": "same", "Moved": "moved", "Reformatted": "reformatted",
            "kLimit": "changed", "kGone": "vanished", "Reworded": "reformatted",
            "Message": "changed", "Renamed": "relocated", "Also": "relocated", "kInRenamed": "relocated", "MODE": "changed"})
        # "Reworded" above: its line changed, its own tokens did not.
        self.assertEqual([f["key"] for f in area["new_facts"]], ["const|kFresh"])
        self.assertEqual(sum(area["counts"].values()), len(self.cards) + 1)
        self.assertEqual(self.project.json("drift.json")["renames"], {"source:src/b.cc": "other/renamed.cc"})
        limit = next(f for f in area["facts"] if self.cards[f["id"]]["subject"] == "kLimit")
        self.assertEqual((limit["old_value"]["default"], limit["new_value"]["default"]), ("16", "32"))
        self.assertEqual(self.project.json("drift.json")["stale_skills"], ["engine"])

    def test_ids_stay(self):
        area = self.drift()
        self.project.scope["repos"][0]["pin"] = self.after
        self.project.scope["areas"][0]["reads"][0]["include"].append("other/*")
        self.project.build()
        after = {f["key"]: f["id"] for f in self.project.facts()}
        kept = [f for f in area["facts"] if self.cards[f["id"]]["key"] in after]
        self.assertGreaterEqual(len(kept), 11)
        for fact in kept:
            self.assertEqual(after[self.cards[fact["id"]]["key"]], fact["id"])

    def test_unchanged_blobs_are_not_lexed_again(self):
        self.drift()
        # Known from build: four files; new at the other pin: a.cc, renamed.cc, d.py. c.cc is the same blob.
        self.assertRegex(self.project.last, r"lexed 3 files, 5 were known")

    def test_fail_on(self):
        self.drift("--fail-on", "changed,vanished", code=1)
        self.drift("--fail-on", "reworded", code=0)
        self.assertEqual(self.project.run("drift", "--pin", f"source={self.after}", "--fail-on", "broken"), 64)

    def test_report_is_short(self):
        self.drift()
        page = self.project.read("drift.md")
        self.assertLess(len(page.splitlines()), 60)
        for text in ("`kLimit = 16` is now `kLimit = 32`", "## Vanished: 1", "| stale |"):
            self.assertIn(text, page)

    def test_missing_pin(self):
        self.assertEqual(self.project.run("drift", "--pin", "source=" + "4" * 40), 74)
        self.assertIn("fetch origin " + "4" * 40, self.project.last)
        self.assertEqual(self.project.run("drift", "--pin", "source=main"), 78)
        self.assertIn(self.after, self.project.last)

    def test_verify_computes_the_drift_again(self):
        self.drift()
        self.assertEqual(self.project.run("verify"), 0, self.project.last)

    def test_d601_fact_in_two_states(self):
        self.drift()
        self.project.change("drift.json", lambda d: d["areas"][0]["facts"].append(d["areas"][0]["facts"][0]))
        self.assertEqual(self.project.run("verify"), 1)
        self.assertIn("is in 2 states", self.project.last)
        self.assertIn("the counts do not add up", self.project.last)

    def test_d602_vanished_that_is_there(self):
        self.drift()

        def forge(drift):
            fact = next(f for f in drift["areas"][0]["facts"] if self.cards[f["id"]]["subject"] == "Moved")
            fact["state"] = "vanished"
            fact.pop("new")
        self.project.change("drift.json", forge)
        self.assertEqual(self.project.run("verify"), 1)
        self.assertIn("D602", self.project.found())


if __name__ == "__main__":
    unittest.main()
