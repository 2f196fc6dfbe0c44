"""Every check of `distill` has a test that makes it fail, and only what it is about."""
import unittest

from distill.project import Project

ENGINE = """#include "engine.h"
namespace engine {
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("start", TORCH_FN(start));
}
int Limit() {
  static const char* text = std::getenv("ENGINE_LIMIT");
  return (text != nullptr) ? atoi(text) : 16;
}
void Start(int speed) {
  TORCH_CHECK(speed > 0, "speed must be positive, not ",
              speed, ".");
  TORCH_CHECK(speed < Limit(), "speed must stay under the limit");
  if (speed > 100) {
    throw std::runtime_error("too fast");
  }
}
}  // namespace engine
"""
HEADER = """#pragma once
namespace engine {
struct Base {
  virtual ~Base() = default;
  virtual void start() = 0;
  virtual void stop() { TORCH_CHECK(false, "stop is not supported"); }
  virtual bool idle() const { return false; }
};
struct Motor : public Base {
  void start() override {}
  void stop() override {}
};
struct Sail : public Base {
  void start() override {}
};
}  // namespace engine
"""
FILES = {"src/engine.cc": ENGINE, "src/engine.h": HEADER, "src/other.cc": "void Other() { TORCH_CHECK(true, \"never\"); }\n",
         "LICENSE": "Redistribution and use in source and binary forms ... endorse or promote products ...\n", "docs/a.md": "text\n"}
INTERFACES = [{"id": "base", "area": "engine", "base": {"repo": "source", "path": "src/engine.h", "class": "Base"},
               "backends": {"motor": {"repo": "source", "path": "src/engine.h", "class": "Motor"},
                            "sail": {"repo": "source", "path": "src/engine.h", "class": "Sail"}}}]
CARD = "skills/engine/card.json"


class ChecksTest(unittest.TestCase):
    def setUp(self):
        self.project = Project(FILES, scope={"interfaces": INTERFACES})
        self.addCleanup(self.project.close)

    def built(self):
        self.assertEqual(self.project.build(), 0, self.project.last)
        self.assertEqual(self.project.run("verify"), 0, self.project.last)

    def expect(self, check, code=1, action="verify", options=()):
        self.assertEqual(self.project.run(action, *options), code, self.project.last)
        self.assertIn(check, self.project.found())
        line = next(line for line in self.project.last.splitlines() if line.startswith(check))
        self.assertRegex(line, r" To do: \w.*\.$")

    def fact(self, index, change):
        self.built()
        self.project.change(CARD, lambda card: change(card["facts"][index]))

    # ---- scope and pins
    def test_d101_unknown_key(self):
        self.project.scope["areas"][0]["colour"] = "red"
        self.expect("D101", code=78, action="scope")
        self.assertIn("scope.areas[0].colour", self.project.last)

    def test_d101_role_is_never_a_target(self):
        self.project.scope["repos"][0]["role"] = "runtime"
        self.expect("D101", code=78, action="build")

    def test_d101_second_area_of_one_id(self):
        self.project.scope["areas"].append(dict(self.project.scope["areas"][0]))
        self.expect("D101", code=78, action="scope")

    def test_d102_tag_in_place_of_a_pin(self):
        self.project.repository.git("tag", "-a", "v1", "-m", "v1")
        self.project.scope["repos"][0]["pin"] = "v1"
        self.expect("D102", code=78, action="read")
        self.assertIn(self.project.pin, self.project.last)  # to paste
        self.assertFalse(self.project.out.exists())

    def test_d102_short_id(self):
        self.project.scope["repos"][0]["pin"] = self.project.pin[:10]
        self.expect("D102", code=78, action="read")
        self.assertIn(self.project.pin, self.project.last)

    def test_d102_id_of_the_tag_itself(self):
        self.project.repository.git("tag", "-a", "v1", "-m", "v1")
        self.project.scope["repos"][0]["pin"] = self.project.repository.git("rev-parse", "v1")
        self.assertEqual(self.project.run("read"), 78, self.project.last)
        self.assertIn("D102", self.project.last)
        self.assertIn(f"commit {self.project.pin}", self.project.last)

    def test_d103_missing_pin_says_how_to_get_it(self):
        self.project.repository.git("tag", "v2.14")
        self.project.scope["repos"][0] |= {"pin": "1" * 40, "label": "v2.15"}
        self.assertEqual(self.project.run("build"), 74, self.project.last)
        for text in ("D103", "source", "somebody/source", "1" * 40, f"v2.14 = {self.project.pin}",
                     f"git -C {self.project.repository.directory} fetch origin {'1' * 40}"):
            self.assertIn(text, self.project.last)
        self.assertFalse(self.project.out.exists())  # no partial output

    def test_d104_label_that_moved_is_a_warning(self):
        self.project.scope["repos"][0]["label"] = "v1"
        self.project.repository.commit({"src/new.cc": "int x;\n"})
        self.project.repository.git("tag", "v1")
        self.expect("D104", code=0, action="build")
        self.assertIn(self.project.repository.git("rev-parse", "HEAD"), self.project.last)

    def test_d105_pattern_without_a_file(self):
        self.project.scope["areas"][0]["reads"][0]["include"].append("src/engina.h")
        self.expect("D105", action="build")
        self.assertIn("src/engine.h", self.project.last)
        self.assertGreater(len(self.project.facts()), 0)  # the rest goes on

    def test_d106_file_over_its_budget(self):
        self.project.scope["areas"][0]["budget"] = {"file_bytes": 200}
        self.expect("D106", action="build")
        skipped = self.project.json("readset.json")["areas"][0]["skipped"]
        self.assertEqual({"over-file-budget"}, {s["reason"] for s in skipped})

    def test_d106_facts_are_never_cut(self):
        self.project.scope["areas"][0]["budget"] = {"facts": 3}
        self.expect("D106", action="build")
        self.assertGreater(len(self.project.facts()), 3)

    def test_d107_reason_that_is_none(self):
        self.project.scope["areas"][0]["reads"][0]["exclude"] = ["src/other.cc"]
        self.built()
        self.project.change("readset.json", lambda r: r["areas"][0]["skipped"][0].update(reason="because"))
        self.expect("D107")

    def test_d107_link_that_was_read(self):
        self.built()
        self.project.change("readset.json", lambda r: r["areas"][0]["files"][0].update(mode="120000"))
        self.expect("D107")

    # ---- citations
    def test_d201_file_that_is_not_in_the_readset(self):
        self.fact(0, lambda f: f["cite"][0].update(path="docs/a.md"))
        self.expect("D201")

    def test_d202_blob_of_another_path(self):
        self.built()
        blobs = {f["path"]: f["blob"] for f in self.project.json("readset.json")["areas"][0]["files"]}
        self.project.change(CARD, lambda card: card["facts"][0]["cite"][0].update(
            blob=next(b for p, b in blobs.items() if p != card["facts"][0]["cite"][0]["path"])))
        self.expect("D202")

    def test_d203_lines_outside_of_the_blob(self):
        self.fact(0, lambda f: f["cite"][0].update(lines=[1, 9999]))
        self.expect("D203")

    def test_d204_quote(self):
        self.fact(0, lambda f: f["cite"][0].update(quote="sha256:" + "0" * 64))
        self.expect("D204")

    def test_d205_value(self):
        self.fact(0, lambda f: f["value"].update(extra=1))
        self.expect("D205")

    def test_d206_id_twice(self):
        self.built()
        self.project.change(CARD, lambda card: card["facts"][1].update(id=card["facts"][0]["id"]))
        self.expect("D206")

    def test_d207_text_that_is_not_there(self):
        self.built()
        check = next(i for i, f in enumerate(self.project.facts()) if f["kind"] == "check" and "message" in f["value"])
        self.project.change(CARD, lambda card: card["facts"][check]["value"].update(message="it never fails"))
        self.expect("D207")

    # ---- files
    def edit(self, name, old, new):
        self.built()
        text = self.project.read(name)
        self.assertIn(old, text)
        (self.project.out / name).write_text(text.replace(old, new, 1))

    def test_d301_unquoted_description(self):
        self.edit("skills/engine/SKILL.md", 'description: "', "description: ")
        self.expect("D301")

    def test_d301_name_is_the_folder(self):
        self.edit("skills/engine/SKILL.md", 'name: "engine"', 'name: "motor"')
        self.expect("D301")

    def test_d302_long_skill(self):
        self.edit("skills/engine/SKILL.md", "## Procedure\n", "## Procedure\n" + "- more\n" * 200)
        self.expect("D302")

    def test_d303_unknown_fact_and_link(self):
        self.edit("skills/engine/SKILL.md", "## Procedure\n", "## Procedure\n\n`F-00000000`\n")
        self.expect("D303")
        self.edit_again("[All facts with their citations](card.md)", "[All facts](../secret.md)")
        self.expect("D303")
        self.assertIn("../secret.md", self.project.last)

    def edit_again(self, old, new):
        self.project.build()
        self.edit("skills/engine/SKILL.md", old, new)

    def test_d304_changed_missing_and_extra_file(self):
        self.edit("coverage.md", "# Coverage", "# coverage")
        self.expect("D304")
        self.project.build()
        (self.project.out / "registry.json").unlink()
        self.expect("D304")
        self.project.build()
        (self.project.out / "note.txt").write_text("x")
        self.expect("D304")

    def test_d305_local_path_and_credential(self):
        for text in ("See /home/me/notes", "Use gh" + "p_" + "a1B2" * 9):
            with self.subTest(text):
                self.edit("review-note.md", "## Pins\n", "## Pins\n\n" + text + "\n")
                self.expect("D305")
                self.project.build()

    def test_d401_status(self):
        self.built()
        self.project.change(CARD, lambda card: card.update(status="final"))
        self.expect("D401")
        self.project.build()
        self.edit("skills/engine/SKILL.md", 'distill-run: "not_run"', 'distill-run: "passed"')
        self.expect("D401")

    def test_d402_measured_claim(self):
        self.edit("skills/engine/SKILL.md", "## Procedure\n", "## Procedure\n\nThis is 2.3x faster.\n")
        self.expect("D402")

    def test_d402_figure_in_the_scope(self):
        self.project.scope["areas"][0]["summary"] = "Gives a speedup"
        self.project.build()
        self.expect("D402")

    def test_d403_owned_path_and_owned_name(self):
        self.project.scope["owners"] = [{"id": "motor-people", "repo": "source", "paths": ["src/engine.*"], "pin": "67511c53"}]
        self.expect("D403", action="build")
        self.assertIn("motor-people", self.project.last)
        self.assertNotIn("src/engine.cc", {f["path"] for f in self.project.json("readset.json")["areas"][0]["files"]})

    def test_d403_name_of_an_existing_skill(self):
        pin = self.project.repository.commit({".claude/skills/engine/SKILL.md": "---\nname: engine\n---\n"})
        self.project.scope["repos"][0] |= {"pin": pin, "owners_path": ".claude/skills"}
        self.expect("D403", action="build")

    def test_d404_refusal_is_reported_not_bypassed(self):
        self.project.scope["policy"]["authors_allowed"] = ["person:somebody"]
        self.expect("D404", code=0, action="build")
        self.assertEqual(self.project.json("admission.json")["result"], "refused")
        self.assertIn("refused", self.project.read("review-note.md"))
        self.expect("D404", code=1, action="build", options=["--strict-admission"])
        self.expect("D404", code=1, options=["--strict-admission"])

    def test_d405_no_licence(self):
        self.project.scope["repos"][0]["license_path"] = "COPYING"
        self.expect("D405", code=0, action="build")
        self.assertIn('license: "NO_LICENSE"', self.project.read("skills/engine/SKILL.md"))

    # ---- totals
    def test_d501_coverage(self):
        self.built()
        self.project.change("coverage.json", lambda c: c["areas"][0].update(facts=1))
        self.expect("D501")

    def test_d502_cell_without_citation_or_search(self):
        for name, change in (("cite", lambda cells: cells["motor"].pop("cite")), ("searched", lambda cells: cells["sail"].update(searched=[]))):
            with self.subTest(name):
                self.project.build()
                self.built()
                self.project.change("reference-matrix.json", lambda m: change(next(
                    r for r in m["interfaces"][0]["members"] if r["member"] == "stop")["cells"]))
                self.expect("D502")

    def test_d503_folder_without_an_entry(self):
        self.built()
        (self.project.out / "skills/other").mkdir()
        (self.project.out / "skills/other/card.md").write_text("x\n")
        self.expect("D503")


if __name__ == "__main__":
    unittest.main()
