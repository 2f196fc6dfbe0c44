"""The same attacks under bubblewrap: the table says what is measured, and what bubblewrap stops is stopped by our full level."""
import unittest

from hostile.attack import KERNEL, NO_LIMITS, NOT_COVERED, STOPPED, THROUGH
from hostile.attack_table import ATTACKS
from hostile.sandbox_world import Bubblewrap, identities
from hostile.surroundings import Surroundings


class Yardstick(unittest.TestCase):
    def setUp(self):
        self.surroundings = Surroundings(identities()[-1])
        self.addCleanup(self.surroundings.close)
        self.bubblewrap = Bubblewrap(self.surroundings)

    def measured(self, attack):
        answer = self.bubblewrap.run(attack.text(self.surroundings.places), **attack.limits)
        verdict = attack.check(answer)
        after = self.bubblewrap.run(attack.next_script)
        reached = self.surroundings.reached(answer["output"]) or "THROUGH" in after["output"]
        return NOT_COVERED if verdict == THROUGH or reached else verdict

    def test_every_attack(self):
        for attack in ATTACKS:
            if attack.bubblewrap != NO_LIMITS:
                with self.subTest(attack.name):
                    measured = self.measured(attack)
                    self.assertIn(attack.bubblewrap, (measured, KERNEL))
                    self.assertTrue(measured != STOPPED or attack.full == STOPPED, "bubblewrap is stronger")


if __name__ == "__main__":
    unittest.main()
