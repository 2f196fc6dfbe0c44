"""Reads the demo day (items/*.md, expected.json) and turns it into what its users need: the world of the fake
GitHub (tests/fake_github), a git history, and the expectations for one target and torch version.

An item is one file: lines "name: value", a blank line, the text (Markdown; of a commit item: nothing), then sections:

    === comment AUTHOR TIME                      a comment; its text follows
    === commit NAME TIME on=main|pull [from=NAME] [same=NAME] [base=REF]
                                                 a commit; its message follows, then its files:
    --- PATH                                     the whole new text of a file follows

Commits on=main form the trunk in the order of their times. A commit on=pull is the head of its pull request and
starts at from=NAME, or at the last trunk commit before it; same=NAME takes over the files of another commit;
base=REF names a ref that points to its parent, as ghstack makes them. {sha:NAME} in a text is a commit's object id.

Header names: kind (issue, pr, commit), number, title, author, created, updated, closed, state, labels (comma
separated), closes and referenced_by (numbers), closed_by, gone (an HTTP status).
"""
import datetime
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded"
REPOSITORY = "pytorch/pytorch"
DAY = "2026-11-28"
MORNING_AFTER = "1795932000"  # 2026-11-29T06:00:00Z: the demo does not depend on the machine's date
NOW = "2026-11-29T06:00:00Z"
ASSOCIATIONS = {"ada-k": "MEMBER", "wren-t": "MEMBER", "mika-o": "CONTRIBUTOR", "tess-r": "CONTRIBUTOR"}


class Item:
    def __init__(self, path):
        head, _, text = path.read_text(encoding="utf-8").partition("\n\n")
        self.header = dict(line.split(": ", 1) for line in head.splitlines())
        parts = re.split(r"^=== (.*)\n", text, flags=re.M)
        self.body = parts[0].strip("\n")
        self.comments, self.commits = [], []
        for heading, content in zip(parts[1::2], parts[2::2]):
            kind, *words = heading.split()
            if kind == "comment":
                self.comments.append({"author": words[0], "created_at": words[1], "body": content.strip("\n")})
            elif kind == "commit":
                self.commits.append(self._commit(words, content))
            else:
                raise ValueError(f"{path.name}: unknown section '{kind}'")

    def _commit(self, words, content):
        message, *files = re.split(r"^--- (\S+)\n", content, flags=re.M)
        options = dict(word.split("=", 1) for word in words[2:])
        if set(options) - {"on", "from", "same", "base"}:
            raise ValueError(f"commit {words[0]}: unknown option in {options}")
        return {"name": words[0], "at": words[1], "message": message.strip("\n") + "\n", "options": options,
                "author": self.header.get("author", "trunk-bot"), "number": self.header.get("number"),
                "files": {p: t.strip("\n") + "\n" for p, t in zip(files[::2], files[1::2])}}

    @property
    def kind(self):
        return self.header["kind"]

    @property
    def number(self):
        return int(self.header["number"])

    def numbers(self, name):
        return [int(n) for n in re.findall(r"\d+", self.header.get(name, ""))]


def items(folder=HERE / "items"):
    return [Item(path) for path in sorted(folder.glob("*.md"))]


def history(day=None):
    """The commits of all items, parents first, in the form that the fake GitHub makes a repository of."""
    commits = sorted((c for item in day or items() for c in item.commits), key=lambda c: (c["at"], c["name"]))
    files = {c["name"]: c["files"] for c in commits}
    out, trunk = [], None
    for c in commits:
        options = c["options"]
        on_trunk = options["on"] == "main"
        parent = trunk if on_trunk else options.get("from", trunk)
        entry = {"name": c["name"], "at": c["at"], "author": c["author"], "message": c["message"], "parent": parent,
                 "files": {**files.get(options.get("same"), {}), **c["files"]},
                 "refs": ["refs/heads/main"] if on_trunk else [f"refs/pull/{c['number']}/head"]}
        if "base" in options:
            next(e for e in out if e["name"] == parent)["refs"].append(options["base"])
        if on_trunk:
            trunk = c["name"]
        out.append(entry)
    return out


def world(day=None):
    day = day or items()
    out = {"repository": REPOSITORY, "now": NOW, "users": ASSOCIATIONS, "issues": [], "pulls": [],
           "git": {REPOSITORY: history(day)}}
    parents = {entry["name"]: entry["parent"] for entry in out["git"][REPOSITORY]}
    for item in day:
        if item.kind == "commit":
            continue
        h = item.header
        entry = {"number": item.number, "title": h["title"], "author": h["author"], "created_at": h["created"],
                 "state": h.get("state", "open"), "body": item.body, "comments": item.comments,
                 "labels": [label.strip() for label in h.get("labels", "").split(",") if label.strip()],
                 "referenced_by": item.numbers("referenced_by")}
        for name, member in (("updated", "updated_at"), ("closed", "closed_at")):
            if name in h:
                entry[member] = h[name]
        if "gone" in h:
            entry["gone"] = int(h["gone"])
        if "closed_by" in h:
            entry["closed_by"] = int(h["closed_by"]) if h["closed_by"].isdigit() else h["closed_by"]
        if item.kind == "issue":
            out["issues"].append(entry)
            continue
        head = [c["name"] for c in item.commits if c["options"]["on"] == "pull"][-1]
        entry.update(head=f"commit:{head}", base=f"commit:{parents[head]}", closes=item.numbers("closes"))
        out["pulls"].append(entry)
    return out


def recorded_ids():
    """{name: full object id} of the trunk commits that the recording holds; the time of each is its own."""
    answers = json.loads((RECORDED / "repository.json").read_text(encoding="utf-8"))["answers"]
    listed = next(a for a in answers if a["question"] == "TrunkCommitsIn")
    commits = json.loads((RECORDED / listed["answer_file"]).read_text(encoding="utf-8"))
    by_time = {commit["committed_at"]: commit["sha"] for commit in commits}
    seconds = lambda text: int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())
    return {entry["name"]: by_time[seconds(entry["at"])] for entry in history()
            if "refs/heads/main" in entry["refs"] and seconds(entry["at"]) in by_time}


class NoExpectations(Exception):
    pass


def expectations():
    """The whole of expected.json."""
    return json.loads((HERE / "expected.json").read_text(encoding="utf-8"))


def expected(target, torch_version, object_ids=None):
    """{candidate id: row} for a target and a torch version. `object_ids` (name: full id) turns commit:NAME into
    commit-<12 digits>; without it the names stay."""
    version = torch_version.split("+")[0]
    rows = {}
    for name, entry in expectations()["candidates"].items():
        row = {"title_status": entry["title_status"], "deep_status": entry["deep_status"], "bucket": None,
               "decided_by": None}
        if entry["deep_status"] == "pass":
            results = entry["results"].get(target, {})
            if version not in results:
                raise NoExpectations(f"no expectations for torch {torch_version} on {target}")
            row["bucket"], row["decided_by"] = results[version]
        if name.startswith("commit:") and object_ids:
            name = "commit-" + object_ids[name.removeprefix("commit:")][:12]
        rows[name] = row
    return rows


def candidates(day=None):
    """Names of everything that happened on the day, as expected.json calls them."""
    names = set()
    for item in day or items():
        if item.kind != "commit" and item.header["created"].startswith(DAY):
            names.add(f"{item.kind}-{item.number}")
        landed = [c for c in item.commits if c["options"]["on"] == "main" and c["at"].startswith(DAY)]
        names |= {f"commit:{c['name']}" for c in landed}
    return names


