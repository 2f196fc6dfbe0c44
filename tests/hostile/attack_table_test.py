"""Every attack of the table in our sandbox, as a fresh process and as a child of the fork server, started by root and by
an ordinary user; and docs/security.md says what is measured here. UPDATE_GOLDEN=1 writes the table there."""
import os
import pathlib
import re
import unittest

from hostile.attack import NOT_COVERED, THROUGH
from hostile.attack_table import ATTACKS, BEGIN, END, markdown
from hostile.sandbox_world import Sandbox, identities
from hostile.surroundings import Surroundings

LOOK = "import os\nprint(sorted(os.listdir('/scratch')), os.listdir('/tmp'), os.listdir('/dev/shm'))\n"


class Table:
    """Mixed into one class for each identity and isolation; one test for each attack."""

    @classmethod
    def setUpClass(cls):
        cls.surroundings = Surroundings(cls.identity)
        cls.sandbox = Sandbox(cls.identity, surroundings=cls.surroundings)

    @classmethod
    def tearDownClass(cls):
        status = cls.sandbox.close()
        cls.surroundings.close()
        assert status == 0

    def attack(self, attack):
        sandbox = self.sandbox
        limits = {name: value for name, value in attack.limits.items() if name == "memory_bytes"}
        if limits:  # a fork server has one memory limit
            sandbox = Sandbox(self.identity, surroundings=self.surroundings)
            self.addCleanup(sandbox.close)
        answer = sandbox.run(attack.text(self.surroundings.places), self.isolation, **attack.limits)
        self.assertNotIn("error", answer)
        self.assertEqual(answer["isolation"], self.isolation)
        verdict = attack.check(answer)
        for line in answer["output"].splitlines() if attack.refusals else ():
            self.assertTrue(not line.startswith("held") or line.split()[-1] in attack.refusals, line)
        reached = self.surroundings.reached(answer["output"])
        after = sandbox.run(attack.next_script + LOOK, self.isolation, name="repro_issue-2.py", **limits)
        reached += [line for line in after["output"].splitlines() if line.startswith("THROUGH")]
        self.assertEqual(NOT_COVERED if verdict == THROUGH or reached else verdict, attack.full, (reached, answer["output"][-3000:]))
        # The next script runs as if nothing had been.
        self.assertEqual((after["kind"], after["exit_status"], after["isolation"]), ("exited", 0, self.isolation), after)
        self.assertEqual(after["output"].splitlines()[-1], "['repro_issue-2.py'] [] []")
        self.assertTrue(after["report"]["complete"])


class Document(unittest.TestCase):
    def test_the_page_shows_the_table(self):
        page = pathlib.Path(os.environ["SOURCE_ROOT"], "docs/security.md")
        text = page.read_text()
        head, rest = text.split(BEGIN, 1)
        expected = head + markdown() + rest.split(END, 1)[1]
        if os.environ.get("UPDATE_GOLDEN"):
            page.write_text(expected)
        self.assertEqual(page.read_text(), expected)

    def test_names_are_unique(self):
        self.assertEqual(len({attack.name for attack in ATTACKS}), len(ATTACKS))


def test_of(attack):
    def test(self):
        self.attack(attack)
    test.__name__ = "test_" + re.sub(r"\W+", "_", attack.name).strip("_")
    return test


def make_classes():
    for identity in identities():
        for isolation in ("process", "fork-server"):
            name = f"Table_{identity}_{isolation.replace('-', '_')}"
            tests = [test_of(attack) for attack in ATTACKS if not attack.heavy or identity == identities()[-1]]
            globals()[name] = type(name, (Table, unittest.TestCase), {"identity": identity, "isolation": isolation,
                                                                       **{test.__name__: test for test in tests}})


make_classes()
if __name__ == "__main__":
    unittest.main()
