"""Scripts that do not end by themselves, as a fork of the server and as a fresh process: each ends on time, what it
had printed is kept, nothing of it survives, and the next script runs as if nothing had been."""
import os
import pathlib
import time
import unittest

from hostile.sandbox_world import Sandbox, identities, processes_named

MARK = f"hang-{os.getpid()}"  # name of every process of these scripts
PRELUDE = f"""import atexit, ctypes, os, signal, subprocess, sys, threading, time
open("/proc/self/comm", "w").write("{MARK}")
def here():
    print("RESULT: here", flush=True)
def every_signal():
    return set(range(1, 32)) - {{signal.SIGKILL, signal.SIGSTOP}}
def child(action):
    pid = os.fork()
    if pid == 0:
        action()
        os._exit(0)
    return pid
def sleep():
    time.sleep(600)
"""
# name -> (script after the prelude, processes that it leaves beside itself)
HANGS = {
    "in Python": ("here()\nwhile True: pass", 0),
    "waiting for a lock": ("lock = threading.Lock()\nlock.acquire()\nhere()\nlock.acquire()", 0),
    "in a thread, when the first has ended": ("def spin():\n    here()\n    while True: pass\nthreading.Thread(target=spin).start()\n"
                                              "ctypes.CDLL(None).syscall(60, 0)", 0),
    "waiting for a thread": ("threading.Thread(target=threading.Event().wait).start()\nhere()", 0),
    "sleeping in C": ("here()\nctypes.PyDLL(None).sleep(600)", 0),
    "reading what nobody writes": ("ends = os.pipe()\nhere()\nos.read(ends[0], 1)", 0),
    "computing in C without a look at signals": ("here()\npow(3, 1 << 200, (1 << 100_000) - 1)", 0),
    "ignoring signals": ("for number in every_signal(): signal.signal(number, signal.SIG_IGN)\nhere()\nwhile True: signal.pause()", 0),
    "blocking signals": ("signal.pthread_sigmask(signal.SIG_BLOCK, every_signal())\nhere()\nsleep()", 0),
    "swallowing what is raised": ("here()\nwhile True:\n    try:\n        sleep()\n    except BaseException:\n        pass", 0),
    "stopped": ("here()\nos.kill(os.getpid(), signal.SIGSTOP)", 0),
    "stopped with its children": ("pids = [child(sleep) for _ in range(5)]\nhere()\nos.killpg(0, signal.SIGSTOP)", 5),
    # 0x4000: CLONE_VFORK. The parent waits in the kernel, deaf to everything but SIGKILL.
    "in vfork": ("here()\nif ctypes.CDLL(None).syscall(56, 0x4000 | signal.SIGCHLD, 0, 0, 0, 0) == 0: sleep()", 1),
    "in vfork of a stopped child": ("here()\nif ctypes.CDLL(None).syscall(56, 0x4000 | signal.SIGCHLD, 0, 0, 0, 0) == 0:\n"
                                    "    os.kill(os.getpid(), signal.SIGSTOP)", 1),
    "blocked on a full pipe": ("ends = os.pipe()\nhere()\nwhile True: os.write(ends[1], b'x' * 65536)", 0),
    "waiting for a program": ("here()\nsubprocess.run(['sleep', '600'])", 1),
    "waiting for children that hold the output": ("pid = child(lambda: child(sleep) and sleep())\nhere()\nos.waitpid(pid, 0)", 2),
    "without an output": ("here()\nos.close(1)\nos.close(2)\nsleep()", 0),
    "at exit": ("atexit.register(sleep)\nhere()", 0),
    "in a destructor at exit": ("class Slow:\n    def __del__(self, wait=sleep, kept=time):\n        wait()\nslow = Slow()\nhere()", 0),
}
# Ends by itself, while a grandchild keeps the output open.
LEFT_BEHIND = "child(lambda: (os.setsid(), child(sleep)))\nos.wait()\nhere()"
DEVICE_HANGS = {
    "in a device kernel": "here()\nprint(torch.gcd(zero, six))",
    "in a device kernel of a thread": "thread = threading.Thread(target=torch.gcd, args=(zero, six))\n"
                                    "thread.start()\nhere()\nthread.join()",
}
DEVICE_PRELUDE = PRELUDE + """import torch
zero, six = torch.tensor([0, 6], device="testdev")
"""
# A busy machine may not have come to the hang when the time is over; the same with more time then.
TIMEOUTS_MILLIS = (1_000, 10_000, 100_000)
MOST_AFTER_TIMEOUT_MILLIS = 15_000


def stat_of(pid):
    """The line of /proc; empty when the process is gone."""
    try:
        return pathlib.Path("/proc", pid, "stat").read_text()
    except OSError:
        return ""


class Hangs:
    """Mixed into one class for each isolation."""

    def assert_gone(self):
        """One that was killed may still be on its way out."""
        deadline = time.monotonic() + 30
        while left := processes_named(MARK):
            self.assertLess(time.monotonic(), deadline, f"processes of the script outlive it: {list(map(stat_of, left))}")

    def hang(self, sandbox, script, beside=0):
        for timeout in TIMEOUTS_MILLIS:
            answer = sandbox.run(script, self.isolation, timeout_millis=timeout)
            self.assertNotIn("error", answer)
            self.assert_gone()
            self.assertEqual((answer["kind"], answer["isolation"]), ("timed-out", self.isolation), answer)
            self.assertGreaterEqual(answer["duration_millis"], timeout)
            self.assertLess(answer["duration_millis"], timeout + MOST_AFTER_TIMEOUT_MILLIS)
            if answer["output"] and answer["survivors"] >= beside:
                break
        seen = answer["output"], answer["report"]["result_line"], answer["survivors"]
        self.assertEqual(seen, ("RESULT: here\n", "here", beside))
        return answer

    def assert_healthy(self, sandbox):
        answer = sandbox.run("import os\nprint(sorted(os.listdir('/scratch')), os.listdir('/tmp'))", self.isolation, name="next.py")
        self.assertEqual((answer["output"], answer["exit_status"], answer["isolation"]), ("['next.py'] []\n", 0, self.isolation))
        self.assertTrue(answer["report"]["complete"])

    def test_every_hang_ends(self):
        sandbox = Sandbox(identities()[0])
        self.addCleanup(sandbox.close)
        for name, (script, beside) in HANGS.items():
            with self.subTest(name):
                answer = self.hang(sandbox, PRELUDE + script, beside)
                self.assertEqual(answer["report"]["complete"], name.endswith(("a thread", "at exit")))
                self.assert_healthy(sandbox)

    def test_a_grandchild_that_holds_the_output_delays_nothing(self):
        sandbox = Sandbox(identities()[0])
        self.addCleanup(sandbox.close)
        answer = sandbox.run(PRELUDE + LEFT_BEHIND, self.isolation, timeout_millis=300_000)
        seen = answer["kind"], answer["exit_status"], answer["output"], answer["survivors"]
        self.assertEqual(seen, ("exited", 0, "RESULT: here\n", 1))
        self.assertLess(answer["duration_millis"], 100_000)
        self.assert_gone()
        self.assert_healthy(sandbox)

    def test_a_device_kernel_that_hangs_ends(self):
        sandbox = Sandbox(identities()[0], memory_limit="address-space", python="/usr/bin/python3", root=os.environ["TORCH_ROOT"],
                          target="testdev")
        self.addCleanup(sandbox.close)
        for name, script in DEVICE_HANGS.items():
            with self.subTest(name):
                self.hang(sandbox, DEVICE_PRELUDE + script)
                self.assert_healthy(sandbox)


for _isolation in ("process", "fork-server"):
    _name = "Hangs_" + _isolation.replace("-", "_")
    globals()[_name] = type(_name, (Hangs, unittest.TestCase), {"isolation": _isolation})

if __name__ == "__main__":
    unittest.main()
