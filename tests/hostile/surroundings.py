"""What a hostile script would like to reach, planted on this machine: a token, runner files, a clone, a home, listeners,
a sibling process, writable files. `reached` looks at all of it from outside, after every attack."""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

from hostile.sandbox_world import PYTHON, SECRET, UNPRIVILEGED, identity_arguments, processes_named

UNTOUCHED = "untouched"
SIBLING = """
open("/proc/self/comm", "w").write("hostile-sibling")
print("up", flush=True)
input()
"""


class Surroundings:
    def __init__(self, identity):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hostile."))
        self.folder.chmod(0o755)
        self.environment = {"GITHUB_TOKEN": SECRET, "ACTIONS_RUNTIME_TOKEN": SECRET, "PATH": "/usr/bin:/bin",
                            "HOME": str(self.folder / "home")}
        self.places = {
            "runner_files": [self._plant(name) for name in ("_work/_temp/_runner_file_commands/set_env", "runner/.credentials",
                                                            "runner/.credentials_rsaparams", "runner/_diag/Worker.log")],
            "clone_files": [self._plant(name) for name in ("_work/clone/.git/config", "_work/clone/.git/HEAD")],
            "home_files": [self._plant(name) for name in ("home/.netrc", "home/.ssh/id_ed25519", "home/.config/gh/hosts.yml")],
            "victims": [self._plant("victims/open", UNTOUCHED), self._plant("victims/closed", UNTOUCHED)]}
        for path in [self.folder / "victims", *self.places["victims"]]:
            os.chmod(path, 0o777)
            if identity == "unprivileged" and os.geteuid() == 0:
                os.chown(path, UNPRIVILEGED, UNPRIVILEGED)
        # Two descriptors that a careless parent leaves open for its children.
        self.left_open = [os.open(self.places["victims"][0], os.O_RDWR), os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)]
        # Names of processes, at most 15 characters; other tests may run on this machine at the same time.
        self.places["orphan"], self.places["bomb"] = f"orphan-{os.getpid()}", f"bomb-{os.getpid()}"
        self._listen()
        self.sibling = subprocess.Popen([PYTHON, "-c", SIBLING, SECRET], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=self.environment, cwd="/", **identity_arguments(identity))
        self.sibling.stdout.readline()
        self.places["sibling"] = self.sibling.pid

    def _plant(self, name, text=SECRET):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def _listen(self):
        self.listeners = {"tcp4": socket.create_server(("127.0.0.1", 0)), "tcp6": socket.create_server(("::1", 0), family=socket.AF_INET6),
                          "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM), "unix": socket.socket(socket.AF_UNIX),
                          "abstract": socket.socket(socket.AF_UNIX)}
        self.listeners["udp"].bind(("127.0.0.1", 0))
        self.places["unix"], self.places["abstract"] = str(self.folder / "docker.sock"), f"hostile-{os.getpid()}-{id(self)}"
        self.listeners["unix"].bind(self.places["unix"])
        os.chmod(self.places["unix"], 0o777)
        self.listeners["abstract"].bind("\0" + self.places["abstract"])
        for name, listener in self.listeners.items():
            if name in ("tcp4", "tcp6", "udp"):
                self.places[name] = listener.getsockname()[1]
            if name in ("unix", "abstract"):
                listener.listen()
            listener.setblocking(False)

    def reached(self, output):
        """Names of what the last script got hold of; empty when it got nothing."""
        found = ["the secret"] if SECRET in output else []
        for name, listener in self.listeners.items():
            try:
                (listener.recv if name == "udp" else lambda _: listener.accept()[0].close())(1)
                found.append(name)
            except BlockingIOError:
                pass
        for path in self.places["victims"]:
            if pathlib.Path(path).read_text() != UNTOUCHED:
                found.append(path)
                pathlib.Path(path).write_text(UNTOUCHED)
        if sorted(os.listdir(self.folder / "victims")) != ["closed", "open"]:
            found.append("a new file")
        state = pathlib.Path(f"/proc/{self.sibling.pid}/stat").read_text().rsplit(") ", 1)[1][0]
        if self.sibling.poll() is not None or state in "TtZX":
            found.append(f"the sibling: {state}")
        return found + [name for name in (self.places["orphan"], self.places["bomb"]) if processes_named(name)]

    def close(self):
        for listener in self.listeners.values():
            listener.close()
        for descriptor in self.left_open:
            os.close(descriptor)
        self.sibling.communicate(b"\n", timeout=30)
        shutil.rmtree(self.folder)
