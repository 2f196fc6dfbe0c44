"""The same attacks under bubblewrap: the table says what is measured, and what bubblewrap stops is stopped by our full level."""
import subprocess
import unittest

from hostile.attack import KERNEL, NO_LIMITS, NOT_COVERED, STOPPED, THROUGH
from hostile.attack_table import ATTACKS
from hostile.sandbox_world import PYTHON, Bubblewrap, identities, identity_arguments
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

    def test_without_a_sandbox_the_attacks_get_what_they_want(self):
        """Or the table would say `stopped` of attacks that can not work."""
        names = {"token in the environment", "/proc of siblings", "runner files", "configuration of the clone", "home", "IPv4", "IPv6",
                 "UDP", "unix socket, also like docker.sock", "abstract socket", "write through inherited descriptors"}
        attacks = [attack for attack in ATTACKS if attack.name in names]
        self.assertEqual(len(attacks), len(names))
        for attack in attacks:
            with self.subTest(attack.name):
                output = unconfined(attack.text(self.surroundings.places), self.surroundings)
                self.assertTrue(self.surroundings.reached(output) or "THROUGH" in output, output[-2000:])


def unconfined(script, surroundings):
    return subprocess.run([PYTHON, "-B", "-s", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd="/",
                          env=surroundings.environment, pass_fds=surroundings.left_open, timeout=60,
                          **identity_arguments("unprivileged")).stdout


if __name__ == "__main__":
    unittest.main()
