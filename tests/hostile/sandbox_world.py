"""Our sandbox and bubblewrap behind the same call, for the identity that a test asks for."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

DRIVER = pathlib.Path(os.environ["SANDBOX_DRIVER"])
PYTHON = os.environ.get("HOSTILE_PYTHON", "/usr/bin/python3")
TARGET = os.environ.get("HOSTILE_TARGET", "cpu")  # whose device nodes the sandbox shows
SECRET = "planted-token-5b1f0c"
UNPRIVILEGED = 4242


def identities():
    """Root also gives itself up; an ordinary user is what a runner has. Whoever runs the tests comes first."""
    return ["root", "unprivileged"] if os.geteuid() == 0 else ["unprivileged"]


def identity_arguments(identity):
    """For subprocess: who a program is started as."""
    change = identity == "unprivileged" and os.geteuid() == 0
    return {"user": UNPRIVILEGED, "group": UNPRIVILEGED, "extra_groups": []} if change else {}


class Sandbox:
    def __init__(self, identity, memory_limit="resident", python=PYTHON, root="", target=TARGET, preload=(), surroundings=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hostile."))
        self.folder.chmod(0o755)
        driver = self.folder / "driver"
        shutil.copy(DRIVER, driver)
        environment = surroundings.environment if surroundings else {"GITHUB_TOKEN": SECRET, "PATH": "/usr/bin:/bin"}
        self.process = subprocess.Popen([driver, target, python, root, memory_limit, *preload], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, cwd="/", env=environment,
                                        pass_fds=surroundings.left_open if surroundings else (), **identity_arguments(identity))

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def run(self, script, isolation="process", **more):
        return self.ask(op="run", script=script, isolation=isolation, **more)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        status = self.process.wait(30)
        shutil.rmtree(self.folder)
        return status


class Bubblewrap:
    """The yardstick: the options that its manual recommends for untrusted programs, without a filter of our own making."""
    COMMAND = ("bwrap --unshare-all --unshare-user --disable-userns --die-with-parent --new-session --cap-drop ALL --clearenv "
               "--hostname box --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 "
               "--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --proc /proc --dev /dev --tmpfs /tmp --tmpfs /dev/shm "
               "--tmpfs /scratch --remount-ro / --chdir /scratch --setenv PATH /usr/bin:/bin --setenv HOME /scratch "
               "--setenv LANG C.UTF-8").split()

    def __init__(self, surroundings):
        self.surroundings = surroundings

    def run(self, script, timeout_millis=60_000, **_):
        command = self.COMMAND + [PYTHON, "-B", "-s", "-u", "-c", script]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={},
                                  timeout=timeout_millis / 1000, pass_fds=self.surroundings.left_open, cwd="/",
                                  **identity_arguments("unprivileged"))
        except subprocess.TimeoutExpired as late:
            return {"kind": "timed-out", "exit_status": 0, "signal": "", "output": (late.stdout or b"").decode("utf-8", "replace")}
        return {"kind": "exited", "exit_status": done.returncode, "signal": "", "output": done.stdout.decode("utf-8", "replace")}


def processes_named(comm):
    """Processes of this machine, in whatever namespace, that carry the name."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/comm"):
        try:
            if path.read_text().strip() == comm:
                found.append(path.parent.name)
        except OSError:
            pass  # ended meanwhile
    return found
