"""Reads the triage corpus (tests/corpus/README.md says its format) and writes run directories of it, as
docs/run-directory.md describes them: raw candidates and details, made by hand."""
import hashlib
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent / "corpus"
SECOND = ROOT / "second"  # written after the rules, by people who had not seen them; same layout
REPOSITORY = "pytorch/pytorch"
WINDOW = {"start": "2026-11-28", "end": "2026-11-28"}
LABELS = {"trap", "label", "expect"}


def sha(name):
    """The full id of the commit that the corpus calls commit-NAME."""
    return hashlib.sha1(name.encode()).hexdigest()


def candidate_id(name):
    kind, _, rest = name.partition("-")
    return name if kind != "commit" else f"commit-{sha(rest)[:12]}"


class Item:
    """One candidate: what upstream says about it (raw, details) and what its labels say."""

    def __init__(self, text):
        text = re.sub(r"\{sha:([\w-]+)\}", lambda m: sha(m[1]), text)
        head, _, rest = text.strip("\n").partition("\n\n")
        self.header = dict(line.split(": ", 1) for line in head.splitlines())
        self.name = self.header["id"]
        self.id = candidate_id(self.name)
        self.kind = self.id.split("-")[0]
        parts = re.split(r"^(---|===) (\S.*)\n?", rest, flags=re.M)
        self.body = parts[0].strip("\n") + "\n"
        if self.header.get("crlf"):
            self.body = self.body.replace("\n", "\r\n")
        self.files, self.tests, self.comments = [], [], []
        for mark, heading, content in zip(parts[1::3], parts[2::3], parts[3::3]):
            words = heading.split()
            if mark == "---":
                self.files.append(self._file(words[0], dict(w.split("=", 1) for w in words[1:]), content.strip("\n")))
            elif words[0] == "test":
                self.tests.append(dict(zip(("path", "class", "name", "change"), words[1:])))
            else:
                self.comments.append({"author": "someone", "association": words[1], "body": content.strip("\n"),
                                      "created_at": "2026-11-28T04:00:00Z"})

    @staticmethod
    def _file(path, options, patch):
        lines = [line for line in patch.splitlines() if line[:1] in "+-"]
        return {"path": path, "class": options.get("class"), "counterpart": options.get("counterpart"),
                "details": {"path": path, "status": options.get("status", "modified"), "patch": patch and patch + "\n",
                            "previous_path": options.get("previous", ""),
                            "additions": sum(line[0] == "+" for line in lines),
                            "deletions": sum(line[0] == "-" for line in lines)}}

    @property
    def labels(self):
        return [label.strip() for label in self.header.get("labels", "").split(",") if label.strip()]

    @property
    def url(self):
        folder = {"issue": "issues", "pr": "pull", "commit": "commit"}[self.kind]
        return f"https://github.com/{REPOSITORY}/{folder}/{self.name.split('-', 1)[1] if self.kind != 'commit' else self.sha}"

    @property
    def sha(self):
        return sha(self.name.split("-", 1)[1] if self.kind == "commit" else self.name)

    def raw(self):
        at = self.header.get("at", "2026-11-28T03:00:00Z")
        out = {"id": self.id, "kind": self.kind, "title": self.header["title"], "url": self.url, "author": "someone",
               "events": [{"name": "committed" if self.kind == "commit" else "created", "at": at}]}
        if self.kind == "commit":
            return {**out, "sha": self.sha}
        return {**out, "number": int(self.name.split("-")[1]), "state": self.header.get("state", "open"),
                "labels": self.labels, "created_at": at, "updated_at": at}

    def details(self):
        out = {"schema": "xpu-align/details@1", "id": self.id, "kind": self.kind, "title": self.header["title"],
               "url": self.url, "author": "someone"}
        if "fetch_failure" in self.header:
            return {**out, "fetch_failure": self.header["fetch_failure"]}
        links = [link.split() for link in self.header.get("links", "").split(",") if link.strip()]
        return {**out, "state": self.header.get("state", "open"), "sha": self.sha if self.kind != "issue" else "",
                "association": self.header.get("association", "CONTRIBUTOR"), "labels": self.labels, "body": self.body, "comments": self.comments,
                "links": [{"kind": kind, "target": candidate_id(target)} for kind, target in links],
                "diff_source": "clone" if self.files else "none", "files": [f["details"] for f in self.files],
                "tests": self.tests}


class Chains:
    """Several candidates with the chains that they make."""

    def __init__(self, path):
        head, *items = path.read_text(encoding="utf-8").split("##### item\n")
        self.name = path.stem
        self.items = [Item(text) for text in items]
        ids = {item.name: item.id for item in self.items}
        lines = [line.partition(": ")[::2] for line in head.strip().splitlines()]
        self.trap = dict(lines)["trap"]
        self.chains = {}
        for value in (value for name, value in lines if name == "chain"):
            leader, _, members = value.partition(": ")
            self.chains[ids[leader]] = sorted(ids[m] for m in members.split())
        words = dict(lines).get("state", "").split()
        self.state = words and {"state": words[0], "commit": sha(words[1].split("-", 1)[1]) if len(words) > 1 else ""}
        revived = dict(lines).get("revived")
        self.revived = None if revived is None else sorted(revived.split())


def titles(root=ROOT):
    """[(label, title, kind, reason)]"""
    lines = (root / "titles.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines]


def details(root=ROOT):
    return [(path.stem, Item(path.read_text(encoding="utf-8"))) for path in sorted((root / "details").glob("*.md"))]


def chains(root=ROOT):
    return [Chains(path) for path in sorted((root / "chains").glob("*.md"))]


def title_candidates(labelled):
    """One raw candidate a title; numbers count from 1."""
    out = []
    for number, (_, title, kind, _) in enumerate(labelled, 1):
        item = Item(f"id: {kind}-{number}\ntitle: {title}")
        out.append(item.raw())
    return out


def write_run(directory, raw, detailed=()):
    """A run directory that has been collected into, but not filtered."""
    artifacts = directory / "artifacts"
    (artifacts / "details").mkdir(parents=True)
    (artifacts / "raw_candidates.json").write_text(json.dumps(
        {"schema": "xpu-align/raw-candidates@1", "repository": REPOSITORY, "window": WINDOW, "candidates": raw}))
    for one in detailed:
        (artifacts / "details" / f"{one['id']}.json").write_text(json.dumps(one))


def ledger(directory):
    """{id: row} of a filtered run."""
    with open(directory / "artifacts/candidate_ledger.jsonl", encoding="utf-8", newline="\n") as lines:
        return {row["id"]: row for row in map(json.loads, lines)}
