"""Makes a bare repository from a history of the world file, by git fast-import with fixed dates."""
import datetime
import os
import re
import subprocess

ENVIRONMENT = {**os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "LC_ALL": "C"}


def git(repository, *arguments):
    done = subprocess.run(["git", "--git-dir", str(repository), *arguments], capture_output=True, env=ENVIRONMENT)
    if done.returncode:
        raise ValueError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def with_object_ids(text, oids):
    return re.sub(r"\{sha:([\w.-]+)\}", lambda match: oids[match[1]], text)


class Writer:
    """One fast-import process; `get-mark` tells each commit's object id as soon as it is written."""

    def __init__(self, repository):
        self.process = subprocess.Popen(["git", "--git-dir", str(repository), "fast-import", "--quiet", "--force"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT)
        self.marks = {}

    def line(self, text):
        self.process.stdin.write(text.encode() + b"\n")

    def data(self, text):
        raw = text.encode()
        self.line(f"data {len(raw)}")
        self.process.stdin.write(raw + b"\n")

    def commit(self, entry, message, parent):
        mark = self.marks[entry["name"]] = f":{len(self.marks) + 1}"
        self.line("reset refs/fake/writing\n")
        self.line("commit refs/fake/writing")
        self.line(f"mark {mark}")
        author = entry.get("author", "somebody")
        stamp = f"{seconds(entry['at'])} +0000"
        self.line(f"author {author} <{author}@users.invalid> {stamp}")
        self.line(f"committer {author} <{author}@users.invalid> {stamp}")
        self.data(message)
        if parent:
            self.line(f"from {self.marks[parent]}")
        for path, content in sorted(entry.get("files", {}).items()):
            if content is None:
                self.line(f"D {path}")
            else:
                self.line(f"M 100644 inline {path}")
                self.data(content)
        self.line(f"\nget-mark {mark}")
        self.process.stdin.flush()
        oid = self.process.stdout.readline().decode().strip()
        if not oid:
            raise ValueError(f"fast-import refused commit {entry['name']}")
        return oid

    def close(self):
        self.process.communicate()
        if self.process.returncode:
            raise ValueError("fast-import failed")


def make_repository(path, history):
    """Creates the bare repository `path`; gives {name: object id}."""
    subprocess.run(["git", "init", "--quiet", "--bare", "-b", "main", str(path)], check=True, env=ENVIRONMENT)
    writer = Writer(path)
    oids, refs, before = {}, {}, None
    for entry in history:
        parent = entry.get("parent", before)
        before = entry["name"]
        oids[before] = writer.commit(entry, with_object_ids(entry["message"], oids), parent)
        refs.update({ref: before for ref in entry.get("refs", [])})
    writer.close()
    for ref, name in refs.items():
        git(path, "update-ref", ref, oids[name])
    git(path, "update-ref", "-d", "refs/fake/writing")
    return oids
