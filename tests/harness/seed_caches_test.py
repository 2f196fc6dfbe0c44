"""What the compiled canary leaves in its caches reaches first attempts as a copy, and nothing ever comes back."""
import unittest

from hostile.sandbox_world import Sandbox, identities

FILL = "import os\nos.makedirs('/scratch/.cache/inductor/ab')\nopen('/scratch/.cache/inductor/ab/code.py', 'w').write('good')\n"
LOOK = ("import os\npath = '/scratch/.cache/inductor/ab/code.py'\n"
        "print(open(path).read() if os.path.exists(path) else 'nothing')\n")
POISON = LOOK + "open(path, 'w').write('evil')\n"
REACH_THE_SEED = ("try:\n    open('/harness/seed.tar', 'r+b')\n    print('writable')\nexcept OSError:\n    print('closed')\n")


class SeedCaches(unittest.TestCase):
    def setUp(self):
        self.sandbox = Sandbox(identities()[-1])

    def tearDown(self):
        self.assertEqual(self.sandbox.close(), 0)

    def output(self, script, isolation="process", **more):
        return self.sandbox.run(script, isolation, **more)["output"]

    def test_each_attempt_has_a_copy_of_its_own(self):
        self.assertEqual(self.output(LOOK, caches="seeded"), "nothing\n")
        self.assertEqual(self.output("print('canary')\n" + FILL, caches="kept"), "canary\n")
        for isolation in ("process", "fork-server"):
            with self.subTest(isolation):
                self.assertEqual(self.output(POISON, isolation, caches="seeded"), "good\n")
                self.assertEqual(self.output(LOOK, isolation, caches="seeded"), "good\n")
                self.assertEqual(self.output(LOOK, isolation), "nothing\n")
                self.assertEqual(self.output(REACH_THE_SEED, isolation, caches="seeded"), "closed\n")

    def test_a_canary_that_fails_leaves_nothing(self):
        self.sandbox.run(FILL + "raise SystemExit(3)\n", caches="kept")
        self.assertEqual(self.output(LOOK, caches="seeded"), "nothing\n")


if __name__ == "__main__":
    unittest.main()
