"""What the sandbox promises to its caller: true outcomes, whole reports, one sentence with a remedy where it can not be
made, and an untouched machine. Attacks are in attack_table_test.py."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from hostile.sandbox_world import DRIVER, PYTHON, TARGET, Sandbox, identities, identity_arguments, processes_named


class Contract:
    """Mixed into one class for each identity and isolation."""

    @classmethod
    def setUpClass(cls):
        cls.sandbox = Sandbox(cls.identity)

    @classmethod
    def tearDownClass(cls):
        assert cls.sandbox.close() == 0

    def test_self_test_reaches_the_full_level(self):
        self.assertEqual(self.sandbox.ask(op="self-test"), {"level": "namespaces+landlock+seccomp"})

    def test_outcome_is_the_truth(self):
        for body, expected in [("os._exit(7)", ("exited", 7, "")), ("sys.exit(139)", ("exited", 139, "")),
                               ("os.kill(os.getpid(), signal.SIGSEGV)", ("signalled", 0, "SIGSEGV")),
                               ("time.sleep(600)", ("timed-out", 0, "")), ("", ("exited", 0, "")),
                               ("raise SystemExit('words')", ("exited", 1, ""))]:
            answer = self.sandbox.run("import os, signal, sys, time\n" + body, self.isolation,
                                      timeout_millis=1500 if "sleep" in body else 60000)
            self.assertEqual((answer["kind"], answer["exit_status"], answer["signal"]), expected, body)
            self.assertEqual(answer["isolation"], self.isolation)

    def test_report_is_complete_whatever_the_script_forks(self):
        for body in ("", "import os\nchild = os.fork()\nif child: os.waitpid(child, 0)\n", "raise ValueError('x')"):
            self.assertTrue(self.sandbox.run(body, self.isolation)["report"]["complete"], body)

    def test_variables_that_the_profile_forbids_are_not_passed_on(self):
        profile = pathlib.Path(os.environ["SOURCE_ROOT"], f"src/rules/targets/{TARGET}.json")
        forbidden = json.loads(profile.read_text())["forbidden_environment"]
        self.assertTrue(forbidden)
        asked = {pattern.replace("*", "ANY"): "1" for pattern in forbidden}
        answer = self.sandbox.run("import os\nprint(sorted(os.environ))", "process", environment={**asked, "HOSTILE_ALLOWED": "1"})
        self.assertIn("HOSTILE_ALLOWED", answer["output"])
        for name in asked:
            self.assertNotIn(f"'{name}'", answer["output"])


class AddressSpace(unittest.TestCase):
    def test_allocation_fails_inside(self):
        for identity in identities():
            sandbox = Sandbox(identity, memory_limit="address-space")
            answer = sandbox.run("held = bytearray(3 << 30)", memory_bytes=1 << 30)
            self.assertEqual(sandbox.close(), 0)
            self.assertEqual((answer["kind"], answer["report"]["exception"]["type"]), ("exited", "MemoryError"))


class Machine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="hostile.")
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        self.folder = pathlib.Path(folder.name)
        self.copy = shutil.copy(DRIVER, self.folder / "driver")

    def test_virtual_environment_is_shown_and_its_neighbours_are_not(self):
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", self.folder / "work/venv"], check=True)
        (self.folder / "work/secret").write_text("x")
        for identity in identities():
            sandbox = Sandbox(identity, python=str(self.folder / "work/venv/bin/python"))
            answer = sandbox.run("import os, sys\n"
                                 "print(sys.prefix != sys.base_prefix, sorted(os.listdir(sys.prefix + '/..')))")
            self.assertEqual(sandbox.close(), 0)
            self.assertEqual(answer["output"], "True ['venv']\n", answer)

    def test_control_group_is_used_where_one_can_be_made(self):
        places = []
        for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if controllers in ("memory", "pids"):
                places.append(pathlib.Path(f"/sys/fs/cgroup/{controllers}{path}"))
        for identity in identities():
            sandbox = Sandbox(identity)
            self.addCleanup(sandbox.process.kill)
            shown = sandbox.run("print(open('/proc/self/cgroup').read())", "fork-server", memory_bytes=4 << 30)["output"]
            groups = [path for place in places for path in place.glob(f"xpu-align-sandbox-{sandbox.process.pid}-*")]
            can = identity == "root" and len(places) == 2 and all(os.access(place, os.W_OK) for place in places)
            self.assertEqual((shown.count("/xpu-align-sandbox-"), len(groups)), (2, 2) if can else (0, 0), shown)
            limits = {name: int((path / name).read_text()) for path in groups for name in ("memory.limit_in_bytes", "pids.max")
                      if (path / name).exists()}
            self.assertEqual(limits, {"memory.limit_in_bytes": 5 << 30, "pids.max": 512} if can else {})
            self.assertEqual(sandbox.close(), 0)
        left = [path for place in places for path in place.glob(f"xpu-align-sandbox-{sandbox.process.pid}-*")]
        self.assertEqual(left, [])

    def test_killed_parent_takes_everything_along(self):
        sandbox = Sandbox(identities()[0])
        script = "open('/proc/self/comm', 'w').write('hostile-left')\nwhile True: pass"
        sandbox.process.stdin.write(json.dumps({"op": "run", "script": script}) + "\n")
        sandbox.process.stdin.flush()
        while not processes_named("hostile-left"):
            self.assertIsNone(sandbox.process.poll())
        sandbox.process.kill()
        sandbox.process.wait(10)
        watched = 0
        while processes_named("hostile-left"):
            watched += 1
            self.assertLess(watched, 2000, "the script outlived its parent")
        sandbox.close()

    def error_in_place(self, preparation):
        """What the sandbox says in a user namespace of an ordinary user, made as a container would make it."""
        command = f"{preparation} && exec {self.copy} {TARGET} {PYTHON} '' resident"
        done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", command], text=True, cwd="/",
                              stdout=subprocess.PIPE, input='{"op": "self-test"}\n', **identity_arguments("unprivileged"))
        return json.loads(done.stdout)["error"]

    def test_place_without_user_namespaces_is_one_sentence_with_a_remedy(self):
        self.assertEqual(self.error_in_place("echo 0 > /proc/sys/user/max_user_namespaces"),
                         "the sandbox can not be made: unshare: No space left on device; user namespaces are switched off: "
                         "set sysctl user.max_user_namespaces to a number above 0")

    def test_place_with_a_masked_proc_is_one_sentence_with_a_remedy(self):
        self.assertEqual(self.error_in_place("mount -t tmpfs none /proc/fs"),
                         "the sandbox can not be made: mount proc: Operation not permitted; a private /proc is refused: give the "
                         "container --security-opt systempaths=unconfined (podman: --security-opt unmask=ALL), or run outside of it")

    def test_missing_interpreter_is_one_sentence(self):
        done = subprocess.run([DRIVER, TARGET, "/nowhere/python", "", "resident"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.stderr, "there is no interpreter at /nowhere/python; name one with --python\n")

    def test_mounts_of_the_machine_are_untouched(self):
        before = pathlib.Path("/proc/self/mountinfo").read_text()
        sandbox = Sandbox(identities()[-1])
        sandbox.run("open('/scratch/x', 'w')")
        sandbox.close()
        self.assertEqual(pathlib.Path("/proc/self/mountinfo").read_text(), before)


for _identity in identities():
    for _isolation in ("process", "fork-server"):
        _name = f"Contract_{_identity}_{_isolation.replace('-', '_')}"
        globals()[_name] = type(_name, (Contract, unittest.TestCase), {"identity": _identity, "isolation": _isolation})

if __name__ == "__main__":
    unittest.main()
