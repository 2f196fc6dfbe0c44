"""What the tests of `distill` share: a repository written by the test, a scope for it, the program, its output folder."""
import json
import os
import pathlib
import subprocess
import tempfile

PROGRAM = os.environ["XPU_ALIGN"]


class Repository:
    """A git repository whose commits have fixed dates, so that their ids repeat."""

    def __init__(self, directory, *options):
        self.directory = pathlib.Path(directory)
        self.directory.mkdir(parents=True)
        self.clock = 1_767_225_600
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *arguments, data=None):
        environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(self.directory)}
        for role in ("AUTHOR", "COMMITTER"):
            environment |= {f"GIT_{role}_NAME": "t", f"GIT_{role}_EMAIL": "t@t", f"GIT_{role}_DATE": f"{self.clock} +0000"}
        done = subprocess.run(["git", "-C", str(self.directory), *arguments], input=data, capture_output=True,
                              env=environment)
        if done.returncode != 0:
            raise AssertionError(f"git {arguments}: {done.stderr.decode()}")
        return done.stdout.decode().strip()

    def write(self, files):
        for name, content in files.items():
            path = self.directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, files=None, message="change"):
        self.write(files or {})
        self.clock += 60
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


class Project:
    """A temporary folder with a repository `source`, a scope file and an output folder."""

    def __init__(self, files, *, area=None, scope=None, name="source"):
        self.keep = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.keep.name)
        self.repository = Repository(self.root / name)
        self.pin = self.repository.commit(files)
        self.out = self.root / "out"
        self.scope = {
            "schema": "distill/scope@1", "id": "trial", "title": "Trial of the tests",
            "repos": [{"id": "source", "slug": "somebody/source", "pin": self.pin, "role": "knowledge", "license_path": "LICENSE"}],
            "policy": {"status": "candidate", "measurements": "forbid", "author": "tool:distill/1"},
            "areas": [{"id": "engine", "title": "Engine", "summary": "Rules of the engine", "when": "Use when the engine fails",
                       "reads": [{"repo": "source", "include": ["src/*"]}]}],
        } | (scope or {})
        self.scope["areas"][0] |= area or {}

    def close(self):
        self.keep.cleanup()

    def run(self, action, *options, clones=None):
        path = self.root / "scope.json"
        path.write_text(self.scope if isinstance(self.scope, str) else json.dumps(self.scope))
        command = [PROGRAM, "distill", action, "--scope", str(path), "--out", str(self.out), "--cache-dir", str(self.root / "cache")]
        for name, directory in (clones if clones is not None else {"source": self.repository.directory}).items():
            command += ["--repo", f"{name}={directory}"]
        done = subprocess.run(command + [str(o) for o in options], capture_output=True, text=True, cwd=self.root,
                              env={"PATH": os.environ["PATH"], "HOME": str(self.root)})
        self.last = done.stdout + done.stderr
        return done.returncode

    def build(self, *options):
        code = self.run("build", *options)
        assert code in (0, 1), self.last
        return code

    def card(self, area="engine"):
        return json.loads((self.out / f"skills/{area}/card.json").read_text())

    def facts(self, kind=None, area="engine"):
        return [f for f in self.card(area)["facts"] if kind is None or f["kind"] == kind]

    def read(self, name):
        return (self.out / name).read_text()

    def json(self, name):
        return json.loads(self.read(name))

    def change(self, name, change):
        """Applies `change` to a JSON file of the output and writes it as the program would."""
        value = self.json(name)
        change(value)
        (self.out / name).write_text(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")

    def found(self):
        """The ids of the findings and warnings that were printed last."""
        return {line.split(" ", 1)[0] for line in self.last.splitlines() if line[:1] == "D" and line[1:4].isdigit()}
