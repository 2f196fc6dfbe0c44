"""The world: checked, with defaults filled in and revisions resolved. Format: the docstring of the package."""
import json
import pathlib
import re

from .history import git, make_repository, with_object_ids

TOP = {"repository", "token", "now", "page_size", "search_counts", "rate", "users", "issues", "pulls", "git", "faults",
       "stubs", "tls"}
ITEM = {"number", "title", "created_at", "body", "author", "state", "labels", "updated_at", "closed_at", "comments",
        "referenced_by", "closed_by", "gone"}
PULL = ITEM | {"head", "base", "merge", "merged_at", "closes", "files"}
FAULT = {"on", "request", "times", "skip", "must_be_used", "status", "headers", "body", "close", "truncate", "cut_body", "stall"}
STUB = {"on", "status", "headers", "body", "must_be_used"}
HISTORY = {"name", "at", "message", "author", "parent", "refs", "files"}


def check_members(value, known, needed, where):
    if extra := set(value) - known:
        raise ValueError(f"world: {where} has unknown members {sorted(extra)}")
    if missing := needed - set(value):
        raise ValueError(f"world: {where} lacks {sorted(missing)}")


class World:
    """`scratch`: an empty folder for repositories made from histories; `home`: where relative paths begin."""

    def __init__(self, data, scratch, home="."):
        check_members(data, TOP, {"repository"}, "the file")
        self.repository = data["repository"]
        self.token = data.get("token")
        self.now = data.get("now", "2026-11-30T06:00:00Z")
        self.page_size = data.get("page_size", 100)
        self.search_counts = data.get("search_counts", {})
        self.rate = {"core": 5000, "search": 30, "graphql": 5000, **data.get("rate", {})}
        self.tls = data.get("tls") and pathlib.Path(home) / data["tls"]
        self.users = data.get("users", {})
        self.faults = [self._fault(fault) for fault in data.get("faults", [])]
        self.stubs = [self._stub(stub) for stub in data.get("stubs", [])]
        self.git, self.oids = {}, {}
        for name, value in data.get("git", {}).items():
            self._add_repository(name, value, pathlib.Path(scratch), pathlib.Path(home))
        self.items = {}
        for kind, known, needed in (("issues", ITEM, set()), ("pulls", PULL, {"head", "base"})):
            for item in data.get(kind, []):
                check_members(item, known, {"number", "title", "created_at"} | needed, f"{kind} {item.get('number')}")
                self._add_item(dict(item), kind == "pulls")
        for item in self.items.values():
            for number in item["referenced_by"] + item.get("closes", []):
                if number not in self.items:
                    raise ValueError(f"world: {item['number']} names {number}, which is not in this world")

    @staticmethod
    def _fault(fault):
        check_members(fault, FAULT, set(), "a fault")
        if ("on" in fault) == ("request" in fault):
            raise ValueError("world: a fault has either 'on' or 'request'")
        return {"times": 1, "skip": 0, "must_be_used": True, **fault, "used": 0, "seen": 0}

    @staticmethod
    def _stub(stub):
        check_members(stub, STUB, {"on"}, "a stub")
        return {"status": 200, "headers": {}, "body": "", "must_be_used": True, **stub, "used": 0}

    def _add_repository(self, name, value, scratch, home):
        if isinstance(value, str):
            self.git[name] = (home / value).resolve()
            return
        for entry in value:
            check_members(entry, HISTORY, {"name", "at", "message"}, f"history of {name}")
        path = scratch / (name.replace("/", "+") + ".git")
        oids = make_repository(path, value)
        self.git[name] = path
        if name == self.repository:
            self.oids = oids

    def _add_item(self, item, is_pull):
        number = item["number"]
        if number in self.items:
            raise ValueError(f"world: {number} is there twice")
        item.update(is_pull=is_pull, node_id=("PR_" if is_pull else "I_") + f"kw{number}",
                    updated_at=item.get("updated_at", item["created_at"]), author=item.get("author", "somebody"),
                    state=item.get("state", "open"), labels=item.get("labels", []),
                    referenced_by=item.get("referenced_by", []), body=with_object_ids(item.get("body", ""), self.oids))
        item["comments"] = [{**comment, "body": with_object_ids(comment["body"], self.oids)}
                            for comment in item.get("comments", [])]
        for member in ("head", "base", "merge"):
            if item.get(member):
                item[member] = self.revision(item[member])
        if isinstance(item.get("closed_by"), str):
            item["closed_by"] = self.revision(item["closed_by"])
        self.items[number] = item

    def revision(self, text):
        if re.fullmatch(r"[0-9a-f]{40}", text):
            return text
        if text.startswith("commit:"):
            return self.oids[text[len("commit:"):]]
        return git(self.git[self.repository], "rev-parse", "--verify", text + "^{commit}").decode().strip()

    def association(self, login):
        return self.users.get(login, "NONE")

    def by_node_id(self, node_id):
        return next((item for item in self.items.values() if item["node_id"] == node_id), None)

    def own_commits(self, item):
        """Of a pull request, oldest first, as (object id, [parents])."""
        lines = git(self.git[self.repository], "rev-list", "--reverse", "--parents",
                    item["head"], "^" + item["base"]).decode().split("\n")
        return [(words[0], words[1:]) for words in (line.split() for line in lines) if words]

    def files(self, item):
        if "files" in item:
            return item["files"]
        return self.changed_files(f"{item['base']}...{item['head']}")

    def changed_files(self, *revisions):
        repository = self.git.get(self.repository)
        if not repository:
            return []
        names = {"A": "added", "D": "removed", "M": "modified"}
        files = []
        for line in git(repository, "diff", "--no-renames", "--name-status", *revisions).decode().splitlines():
            status, path = line.split("\t")
            text = git(repository, "diff", "--no-renames", *revisions, "--", path).decode(errors="replace")
            patch = text[text.index("@@"):] if "@@" in text else ""
            rows = patch.split("\n")
            files.append({"path": path, "status": names[status], "patch": patch.rstrip("\n"),
                          "additions": sum(row.startswith("+") for row in rows),
                          "deletions": sum(row.startswith("-") for row in rows)})
        return files


def load(path, scratch):
    path = pathlib.Path(path)
    return World(json.loads(path.read_text()), scratch, path.parent)
