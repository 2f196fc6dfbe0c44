"""What the harness reports about scripts, and that a script sees what plain Python would show it.

Each script runs as a fresh process and as a fork of the server; both must give the same answer, and its
output and exit status must be those of `python script.py`.
"""
import signal
import subprocess
import tempfile
import unittest

from hostile.sandbox_world import PYTHON, Sandbox, identities

PLAIN = {
    "nothing": "",
    "output": "print('a')\nimport sys\nprint('b', file=sys.stderr)\n",
    "names": "import sys\nprint(__name__, __file__.rsplit('/')[-1], len(sys.argv))\n"
             "print(sys.modules['__main__'].__dict__ is globals())\n",
    "exception": "def f():\n    raise ValueError('wrong')\nf()\n",
    "chained": "try:\n    1/0\nexcept ZeroDivisionError as error:\n    raise RuntimeError('outer') from error\n",
    "own class": "class Oops(Exception):\n    pass\nraise Oops('x')\n",
    "syntax": "print('never')\ndef f(:\n    pass\n",
    "status": "import sys\nsys.exit(7)\n",
    "status text": "import sys\nsys.exit('reason')\n",
    "negative status": "raise SystemExit(-1)\n",
    "atexit": "import atexit\natexit.register(print, 'at exit')\nprint('end')\n",
    "atexit after error": "import atexit\natexit.register(print, 'at exit')\n1/0\n",
    "thread": "import threading, time\nthreading.Thread(target=lambda: print('thread ended')).start()\n",
    "excepthook": "import sys\nsys.excepthook = lambda kind, value, trace: print('hook', kind.__name__)\n1/0\n",
    "pickle": "import pickle\nclass A:\n    pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)\n",
    "processes": "import multiprocessing\ndef f(x):\n    return x * x\nif __name__ == '__main__':\n"
                 "    with multiprocessing.get_context('fork').Pool(2) as pool:\n        print(pool.map(f, [1, 2, 3]))\n",
    "spawned": "import multiprocessing\ndef f(x):\n    return x * x\nif __name__ == '__main__':\n"
               "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n        print(pool.map(f, [1, 2, 3]))\n",
    "neighbour": "import os\nopen('beside.py', 'w').write('value = 3')\nimport beside\nprint(beside.value)\n",
    "source": "import inspect\ndef f():\n    return 1\nprint(inspect.getsource(f))\n",
    "input": "try:\n    input()\nexcept EOFError:\n    print('no input')\n",
}


class Harness(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sandbox = Sandbox(identities()[-1])

    @classmethod
    def tearDownClass(cls):
        assert cls.sandbox.close() == 0

    def both(self, script, **more):
        answers = {isolation: self.sandbox.run(script, isolation, **more) for isolation in ("process", "fork-server")}
        for isolation, answer in answers.items():
            self.assertEqual(answer["isolation"], isolation)
            for measured in ("isolation", "duration_millis", "peak_bytes"):
                del answer[measured]
        self.assertEqual(answers["process"], answers["fork-server"])
        return answers["process"]

    def test_a_script_sees_plain_python(self):
        for name, script in PLAIN.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = folder + "/repro_issue-1.py"
                with open(path, "w", encoding="utf-8") as file:
                    file.write(script)
                plain = subprocess.run([PYTHON, "-u", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                       cwd=folder, stdin=subprocess.DEVNULL)
                answer = self.both(script)
                self.assertEqual(answer["output"], plain.stdout.replace(folder, "/scratch"))
                self.assertEqual((answer["kind"], answer["exit_status"]), ("exited", plain.returncode))
                self.assertTrue(answer["report"]["complete"])

    def test_exception_with_frames_and_causes(self):
        report = self.both("import json\ndef f():\n    json.loads('{')\n"
                           "try:\n    f()\nexcept ValueError as error:\n    raise KeyError('k') from error\n")["report"]
        self.assertEqual(report["exception"], {
            "type": "KeyError", "message": "'k'", "frames": [{"file": "<script>", "function": "<module>", "line": 7}],
            "causes": [{"type": "json.decoder.JSONDecodeError",
                        "message": "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"}]})

    def test_frames_of_libraries_have_no_machine_in_them(self):
        frames = self.both("import json\njson.loads('{')\n")["report"]["exception"]["frames"]
        self.assertEqual([frame["file"] for frame in frames], ["<script>", "json/__init__.py", "json/decoder.py", "json/decoder.py"])

    def test_suppressed_context_and_broken_message(self):
        script = ("class Bad(Exception):\n    def __str__(self):\n        raise TypeError('no')\n"
                  "try:\n    1/0\nexcept ZeroDivisionError:\n    raise Bad from None\n")
        raised = self.both(script)["report"]["exception"]
        self.assertEqual((raised["type"], raised["message"]), ("__main__.Bad", "<the message can not be made: TypeError>"))
        self.assertNotIn("causes", raised)

    def test_long_messages_and_deep_stacks_fit(self):
        report = self.both("def f(n):\n    return f(n - 1) if n else 1/0\n"
                           "try:\n    f(300)\nexcept ZeroDivisionError as e:\n    raise ValueError('x' * 10**6) from e\n")["report"]
        self.assertTrue(report["complete"])
        self.assertEqual(len(report["exception"]["message"]), 16384)

    def test_result_line_is_the_last_one(self):
        report = self.both("print('RESULT: first')\nprint('RESULT: not-reproduced')\nprint('driver noise')\n")["report"]
        self.assertEqual(report["result_line"], "not-reproduced")

    def test_unseeded_randomness_differs_between_forks(self):
        draws = {self.sandbox.run("import random\nprint(random.random())", "fork-server")["output"] for _ in range(3)}
        self.assertEqual(len(draws), 3)

    def test_daemons_end_with_their_script(self):
        answer = self.both("import multiprocessing, time\ndaemon = multiprocessing.get_context('fork').Process(target=time.sleep, "
                           "args=(600,), daemon=True)\ndaemon.start()\n")
        self.assertEqual((answer["exit_status"], answer["survivors"]), (0, 0))

    def test_crash_names_the_frame(self):
        answer = self.sandbox.run("import ctypes\ndef f():\n    ctypes.string_at(0)\nf()\n", "fork-server")
        self.assertEqual(answer["signal"], "SIGSEGV")
        self.assertIn('File "/scratch/repro_issue-1.py", line 3 in f', answer["output"])

    def test_signals_that_the_caller_ignores_reach_a_script(self):
        before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGHUP, signal.SIGUSR1)}
        try:
            sandbox = Sandbox(identities()[-1])
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        self.addCleanup(sandbox.close)
        script = "import signal\nprint(sorted(int(n) for n in signal.valid_signals() if signal.getsignal(n) == signal.SIG_IGN))\n"
        for isolation in ("process", "fork-server"):  # what the interpreter itself ignores
            self.assertEqual(sandbox.run(script, isolation)["output"], f"[{int(signal.SIGPIPE)}, {int(signal.SIGXFSZ)}]\n")

    def test_variables_that_are_read_at_load_force_a_fresh_process(self):
        answer = self.sandbox.run("import os\nprint(os.environ['X'])", "fork-server", environment={"X": "1"})
        self.assertEqual((answer["isolation"], answer["output"]), ("process", "1\n"))

    def test_a_script_that_sets_variables_gets_a_fresh_process(self):
        sets = ("os.environ['A'] = '1'", "os.environ.setdefault('A', '1')", "os.environ.update(A='1')", "os.putenv('A', '1')",
                "del os.environ['HOME']", "os.environ |= {'A': '1'}")
        reads = ("os.environ['HOME'] == '/'", "os.environ.get('A')", "dict(os.environ, A='1')['A']", "print('A' in os.environ)")
        for line in sets + reads:
            with self.subTest(line):
                answer = self.sandbox.run("import os\n" + line + "\n", "fork-server")
                self.assertEqual((answer["exit_status"], answer["isolation"]), (0, "process" if line in sets else "fork-server"))


if __name__ == "__main__":
    unittest.main()
