"""What build makes of the facts: tunables with their rules, coverage, the index, and who is respected."""
import unittest

from distill.project import Project

CODE = """static std::vector<std::string> ENGINE_WAIT = {"ENGINE_WAIT", "OLD_ENGINE_WAIT"};
void Start() {
  static const bool wait = getCvarBool(ENGINE_WAIT, false);
  const char* mode = std::getenv("ENGINE_MODE");
  const int level = (mode != nullptr) ? atoi(mode) : 1;
  TORCH_CHECK(level < 3, "ENGINE_MODE should be one of [0, 1, 2].");
  auto path = c10::utils::get_env("ENGINE_CACHE_DIR");
  TORCH_CHECK(!wait || level == 0, "ENGINE_MODE=2 can not be used together with ENGINE_CACHE_DIR");
  setenv("ENGINE_CACHE_DIR", "/tmp/engine", 1);
}
"""
CONFIG = "fast: bool = True\nclass engine:\n    depth = 4\n"


class MatricesTest(unittest.TestCase):
    def setUp(self):
        self.project = Project({"src/a.cc": CODE, "src/config.py": CONFIG, "src/extra.md": "x\n", "src/left.cc": "int x;\n", "LICENSE": "MIT"},
                               area={"reads": [{"repo": "source", "include": ["src/a.cc", "src/config.py"], "exclude": []}]})
        self.addCleanup(self.project.close)
        self.assertEqual(self.project.build(), 0, self.project.last)
        self.assertEqual(self.project.run("verify"), 0, self.project.last)

    def test_searchspace(self):
        rows = {r["name"]: r for r in self.project.json("searchspace-matrix.json")["rows"]}
        self.assertEqual({r["measured"] for r in rows.values()}, {"not_run"})
        alias = rows["ENGINE_WAIT,OLD_ENGINE_WAIT"]
        self.assertEqual(alias["precedence"], ["ENGINE_WAIT", "OLD_ENGINE_WAIT"])
        wait = rows["ENGINE_WAIT"]
        self.assertEqual((wait["type"], wait["mutability"], wait["defaults"][0]["value"]), ("bool", "read once", "false"))
        mode = rows["ENGINE_MODE"]
        self.assertEqual((mode["type"], mode["allowed"], mode["defaults"][0]["value"]), ("int", ["0", "1", "2"], "1"))
        self.assertEqual([c["with"] for c in mode["conflicts"]], ["ENGINE_CACHE_DIR"])
        cache = rows["ENGINE_CACHE_DIR"]
        self.assertEqual((cache["type"], cache["mutability"], cache["defaults"]), ("path", "read at each call", []))
        self.assertEqual(len(cache["set_by"]), 1)
        self.assertEqual((rows["engine.depth"]["kind"], rows["engine.depth"]["type"], rows["fast"]["type"]), ("cfg", "int", "bool"))

    def test_coverage(self):
        area = self.project.json("coverage.json")["areas"][0]
        self.assertEqual(area["unread"], ["source:src/extra.md", "source:src/left.cc"])
        self.assertEqual(area["recall"]["check"], {"counted": 2, "extracted": 2})
        self.assertEqual((area["files_read"], area["lines_read"]), (2, 13))

    def test_index(self):
        registry = self.project.json("registry.json")
        skill = registry["skills"][0]
        self.assertEqual((skill["id"], skill["path"], skill["status"], skill["run"]), ("engine", "skills/engine", "candidate", "not_run"))
        self.assertEqual([(k["role"], k["runtime_target"]) for k in registry["knowledge_scopes"]], [("knowledge", False)])

    def test_review_note(self):
        note = self.project.read("review-note.md")
        for section in ("Pins", "Readsets and coverage", "Out of scope", "Owners respected", "Gaps in the reference matrix", "Unread areas",
                        "Findings", "Admission", "Delivery", "Not executed"):
            self.assertIn(f"\n## {section}\n", note)
        self.assertIn(self.project.pin, note)
        self.assertIn("Status: candidate. Run: not_run.", note)

    def test_blocker_of_the_delivery_is_exact(self):
        self.project.scope["policy"] |= {"authors_allowed": ["person:a"], "delivery": "Pull request 305 was closed without merging"}
        self.project.build()
        self.assertIn("Blocker: author tool:distill/1 is not among the admitted authors.", self.project.read("review-note.md"))
        self.assertIn("Pull request 305 was closed without merging.", self.project.read("review-note.md"))


if __name__ == "__main__":
    unittest.main()
