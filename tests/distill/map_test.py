"""`distill map`: paths to areas, and a run directory to the facts that its candidates touch, as far as into the report."""
import json
import unittest

from distill.checks_test import FILES, INTERFACES
from distill.project import Project

MATCH = {"shared": ["src/engine.*", "src/**"], "twin": {"cuda/*.cc": "xpu/*.cc"}, "exclusive": ["src/only/**"]}


class MapTest(unittest.TestCase):
    def setUp(self):
        interfaces = json.loads(json.dumps(INTERFACES))
        interfaces[0]["backends"]["xpu"] = interfaces[0]["backends"].pop("sail")
        self.project = Project(FILES, area={"match": MATCH, "implement_in": "somebody/source"}, scope={
            "interfaces": interfaces, "owners": [{"id": "owner", "repo": "source", "paths": ["cuda/owned.cc"]}]})
        self.addCleanup(self.project.close)
        self.project.build()

    def test_paths(self):
        paths = self.project.root / "paths"
        paths.write_text("src/engine.h\nsrc/only/x.cc\ncuda/a.cc\ncuda/owned.cc\ndocs/a.md\n")
        self.assertEqual(self.project.run("map", "--paths-from", paths, clones={}), 0, self.project.last)
        mapped = {p["path"]: p for p in json.loads(self.project.last)["paths"]}
        self.assertEqual({p: m["class"] for p, m in mapped.items()}, {
            "src/engine.h": "shared", "src/only/x.cc": "exclusive", "cuda/a.cc": "twin", "cuda/owned.cc": "twin", "docs/a.md": "unknown"})
        self.assertEqual(mapped["cuda/a.cc"]["counterpart"], "xpu/*.cc")
        self.assertEqual(mapped["cuda/owned.cc"]["owner"], "owner")
        self.assertEqual(mapped["src/engine.h"]["implement_in"], "somebody/source")
        self.assertNotIn("area", mapped["docs/a.md"])

    def run_directory(self, patch):
        run = self.project.root / "run"
        (run / "artifacts/details").mkdir(parents=True, exist_ok=True)
        (run / "artifacts/raw_candidates.json").write_text("{}")
        (run / "artifacts/details/pr-1.json").write_text(json.dumps({
            "schema": "xpu-align/details@1", "id": "pr-1", "kind": "pr", "title": "t", "url": "u",
            "files": [{"path": "src/engine.cc", "status": "modified", "patch": patch}]}))
        self.assertEqual(self.project.run("map", "--run", run, "--repository", "somebody/source", clones={}), 0, self.project.last)
        return json.loads((run / "artifacts/facts_touched.json").read_text())

    def test_change_of_cited_lines(self):
        start = FILES["src/engine.cc"].splitlines().index("  TORCH_CHECK(speed > 0, \"speed must be positive, not \",") + 1
        touched = self.run_directory(f"@@ -{start},2 +{start},2 @@\n-  TORCH_CHECK(old\n+  TORCH_CHECK(new\n same\n")
        self.assertEqual([f["subject"] for f in touched["candidates"][0]["facts"]], ["Start"])
        self.assertEqual(touched["candidates"][0]["stale_skills"], ["engine"])

    def test_change_beside_cited_lines(self):
        touched = self.run_directory("@@ -1,1 +1,1 @@\n-#include \"engine.h\"\n+#include \"motor.h\"\n")
        self.assertEqual(touched["candidates"][0]["facts"], [])
        self.assertEqual(touched["candidates"][0]["paths"][0]["class"], "shared")

    def test_gap_of_xpu_and_drift_of_a_shared_file(self):
        after = self.project.repository.commit({"src/engine.cc": FILES["src/engine.cc"].replace(": 16;", ": 32;")})
        self.assertEqual(self.project.run("drift", "--pin", f"source={after}"), 0, self.project.last)
        touched = self.run_directory("@@ -1,1 +1,1 @@\n-a\n+b\n")
        self.assertEqual([g["member"] for g in touched["gaps"]], ["Base::stop"])
        self.assertEqual(touched["gaps"][0]["look_at"]["path"], "src/engine.h")
        self.assertEqual([(d["state"], d["key"]) for d in touched["drift"]], [("changed", "env|ENGINE_LIMIT|getenv")])


if __name__ == "__main__":
    unittest.main()
