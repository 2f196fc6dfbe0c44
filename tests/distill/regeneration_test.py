"""Same inputs, same bytes: in another folder, with and without a cache; and a flip of any byte is found."""
import json
import pathlib
import random
import unittest

from distill.checks_test import FILES, INTERFACES
from distill.project import Project

FLIPS = 500
AFTER = {"src/other.cc": 'void Other() { TORCH_CHECK(true, "always"); }\n'}


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()}


class RegenerationTest(unittest.TestCase):
    def setUp(self):
        self.project = Project(FILES, scope={"interfaces": INTERFACES})
        self.addCleanup(self.project.close)
        self.assertEqual(self.project.build(), 0)
        self.first = contents(self.project.out)

    def test_again_elsewhere_cold_and_warm(self):
        self.assertIn("were known", self.project.last)
        self.assertEqual(self.project.run("build"), 0)  # warm
        self.assertRegex(self.project.last, r"lexed 0 files, 3 were known")
        self.assertEqual(contents(self.project.out), self.first)
        self.project.out = self.project.root / "deep/in/another/folder"
        self.assertEqual(self.project.run("build"), 0)
        self.assertEqual(contents(self.project.out), self.first)
        for path in (self.project.root / "cache").rglob("*"):
            if path.is_file():
                path.write_bytes(b"torn")  # a cache that can not be trusted is as if it were not there
        self.assertEqual(self.project.run("build"), 0)
        self.assertRegex(self.project.last, r"lexed 3 files, 0 were known")
        self.assertEqual(contents(self.project.out), self.first)

    def test_another_clone_of_the_same_commit(self):
        clone = self.project.root / "clone.git"
        self.project.repository.git("clone", "-q", "--bare", str(self.project.repository.directory), str(clone))
        self.project.out = self.project.root / "other"
        self.assertEqual(self.project.run("build", clones={"source": clone}), 0, self.project.last)
        self.assertEqual(contents(self.project.out), self.first)

    def test_nothing_of_this_machine_is_in_it(self):
        for name, content in self.first.items():
            self.assertNotIn(str(self.project.root).encode(), content, name)
            self.assertNotIn(b"\r", content, name)
            self.assertTrue(content.endswith(b"\n") and not content.endswith(b"\n\n"), name)

    def test_skills_by_the_rules_of_the_reference_validator(self):
        # agentskills/agentskills at 69ef37e9, skills-ref validate: keys, name, description, compatibility, types.
        for skill in self.project.out.glob("skills/*/SKILL.md"):
            text = skill.read_text()
            self.assertTrue(text.startswith("---\n"))
            fields, metadata = {}, {}
            for line in text.split("---\n")[1].splitlines():
                if line == "metadata:":
                    continue
                key, value = line.split(": ", 1)
                (metadata if line.startswith("  ") else fields)[key.strip()] = json.loads(value)  # double-quoted scalars are JSON
            self.assertLessEqual(set(fields), {"name", "description", "license", "allowed-tools", "compatibility"})
            self.assertRegex(fields["name"], r"^[a-z0-9]+(-[a-z0-9]+)*$")
            self.assertEqual(fields["name"], skill.parent.name)
            self.assertTrue(0 < len(fields["description"]) <= 300)
            self.assertTrue(all(isinstance(v, str) for v in metadata.values()))
            self.assertLessEqual(len(text.splitlines()), 200)

    def test_every_flipped_byte_is_found(self):
        after = self.project.repository.commit(AFTER)
        self.assertEqual(self.project.run("drift", "--pin", f"source={after}"), 0, self.project.last)
        self.assertEqual(self.project.run("verify"), 0, self.project.last)
        good = contents(self.project.out)
        generator = random.Random(7)
        names = sorted(good)
        places = [(name, generator.randrange(len(good[name]))) for name in names]  # one in each file
        total = sum(len(content) for content in good.values())
        while len(places) < FLIPS + len(names):
            at = generator.randrange(total)
            for name in names:
                if at < len(good[name]):
                    places.append((name, at))
                    break
                at -= len(good[name])
        for name, at in places:
            changed = bytearray(good[name])
            changed[at] ^= 1 << generator.randrange(8)
            (self.project.out / name).write_bytes(changed)
            self.assertEqual(self.project.run("verify"), 1, f"{name} at {at}: {self.project.last}")
            (self.project.out / name).write_bytes(good[name])
        self.assertEqual(self.project.run("verify"), 0, self.project.last)


if __name__ == "__main__":
    unittest.main()
