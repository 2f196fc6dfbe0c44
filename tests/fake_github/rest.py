"""The REST routes: (status, headers, JSON value) of a GET, or None when the world does not know the path."""
import base64
import datetime
import re
from urllib.parse import parse_qsl, urlencode, urlsplit

from .history import git, seconds


class Refused(Exception):
    """A request that GitHub would take and our client must not send; the message says what is wrong."""


def item_value(world, item, base):
    value = {"id": item["number"] + 10 ** 9, "node_id": item["node_id"], "number": item["number"],
             "title": item["title"], "body": item["body"] or None, "state": item["state"], "comments": len(item["comments"]),
             "user": {"login": item["author"], "type": "User"}, "labels": [{"name": name} for name in item["labels"]],
             "author_association": world.association(item["author"]), "created_at": item["created_at"],
             "updated_at": item["updated_at"], "closed_at": item.get("closed_at"),
             "html_url": f"https://github.com/{world.repository}/" +
                         ("pull/" if item["is_pull"] else "issues/") + str(item["number"])}
    if item["is_pull"]:
        value["pull_request"] = {"url": f"{base}/repos/{world.repository}/pulls/{item['number']}",
                                 "merged_at": item.get("merged_at")}
    return value


def pull_value(world, item, base):
    value = item_value(world, item, base)
    del value["pull_request"]
    return {**value, "merged_at": item.get("merged_at"), "merged": bool(item.get("merge")),
            "merge_commit_sha": item.get("merge"), "head": {"sha": item["head"]}, "commits": len(world.own_commits(item)),
            "base": {"sha": item["base"], "ref": "main"}, "changed_files": len(world.files(item))}


def commit_value(world, sha):
    repository = world.git[world.repository]
    message = git(repository, "show", "-s", "--format=%B", sha).decode().rstrip("\n")
    name, authored, committed, parents = git(repository, "show", "-s", "--format=%an%n%at%n%ct%n%P", sha).decode().split("\n")[:4]
    date = lambda stamp: datetime.datetime.fromtimestamp(int(stamp), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"sha": sha, "author": {"login": name}, "parents": [{"sha": parent} for parent in parents.split()],
            "commit": {"message": message, "author": {"name": name, "date": date(authored)},
                       "committer": {"name": name, "date": date(committed)}}}


def file_value(file):
    return {"filename": file["path"], "status": file["status"], "additions": file.get("additions", 0),
            "deletions": file.get("deletions", 0), **({"patch": file["patch"]} if file.get("patch") else {})}


def take(query, **allowed):
    """Checks that `query` has exactly parameters that are allowed; None: any value."""
    for key, value in query.items():
        if key not in allowed or (allowed[key] is not None and value not in allowed[key]):
            raise Refused(f"parameter {key}={value}")
    return query


def page_of(world, values, path, query, base):
    """One page and its headers. Later pages are only had with the cursor of the Link header."""
    after = query.pop("after", None)
    page = int(query.pop("page", "1"))
    if (page > 1) != (after is not None):
        return 422, {}, {"message": "Pagination with the page parameter is not supported for large datasets, "
                                    "please use cursor based pagination (after/before)"}
    size = min(int(query.get("per_page", "30")), world.page_size)
    begin = int(base64.urlsafe_b64decode(after).decode().split(":")[1]) if after else 0
    headers = {}
    if begin + size < len(values):
        cursor = base64.urlsafe_b64encode(f"cursor:{begin + size}".encode()).decode()
        # Like GitHub, by repository id: a client that builds the next address itself is found out.
        path = path.replace(f"/repos/{world.repository}", "/repositories/65600975")
        following = urlencode({**query, "after": cursor, "page": page + 1})
        headers["Link"] = f'<{base}{path}?{following}>; rel="next"'
    return 200, headers, values[begin:begin + size]


def listed_by_label(world, query, base):
    take(query, state={"open"}, labels=None, per_page=None, after=None, page=None)
    items = [item for item in world.items.values() if item["state"] == "open" and query["labels"] in item["labels"]]
    items.sort(key=lambda item: (item["created_at"], item["number"]), reverse=True)
    return page_of(world, [item_value(world, item, base) for item in items],
                   f"/repos/{world.repository}/issues", query, base)


def listed(world, query, base):
    if "labels" in query:
        return listed_by_label(world, query, base)
    created = query.get("sort") == "created"
    take(query, state={"all"}, sort={"created", "updated"}, direction={"desc"} if created else {"asc"}, per_page=None,
         after=None, page=None, **({} if created else {"since": None}))
    key = "created_at" if created else "updated_at"
    items = [item for item in world.items.values() if item["updated_at"] >= query.get("since", "")]
    items.sort(key=lambda item: (item[key], item["number"]), reverse=created)
    return page_of(world, [item_value(world, item, base) for item in items],
                   f"/repos/{world.repository}/issues", query, base)


def searched(world, query):
    take(query, q=None, per_page={"1"})
    match = re.fullmatch(r"repo:(\S+) is:(issue|pr) created:(\S+)\.\.(\S+)", query.get("q", ""))
    if not match or match[1] != world.repository:
        raise Refused(f"search {query.get('q')!r}")
    first, last = seconds(match[3]), seconds(match[4])
    count = sum(item["is_pull"] == (match[2] == "pr") and first <= seconds(item["created_at"]) <= last
                for item in world.items.values())
    return 200, {}, {"total_count": world.search_counts.get(match[2], count), "incomplete_results": False, "items": []}


def history(world, query, base):
    take(query, sha={"main"}, since=None, until=None, per_page=None, after=None, page=None)
    shas = git(world.git[world.repository], "rev-list", "refs/heads/main", f"--since={query['since']}",
               f"--until={query['until']}").decode().split()
    return page_of(world, [commit_value(world, sha) for sha in shas], f"/repos/{world.repository}/commits", query, base)


def one_item(world, parts, query, base):
    item = world.items.get(int(parts[1]))
    if item is None or (parts[0] == "pulls" and not item["is_pull"]):
        return 404, {}, {"message": "Not Found"}
    if item.get("gone"):
        return item["gone"], {}, {"message": {404: "Not Found", 410: "This issue was deleted"}.get(item["gone"], "Blocked")}
    if parts[2:] == ["comments"]:
        take(query, per_page=None, after=None, page=None)
        values = [{"user": {"login": c["author"]}, "author_association": world.association(c["author"]),
                   "created_at": c["created_at"], "body": c["body"]} for c in item["comments"]]
        return page_of(world, values, f"/repos/{world.repository}/issues/{parts[1]}/comments", query, base)
    if parts[2:] == ["files"]:
        take(query, per_page=None, after=None, page=None)
        values = [file_value(file) for file in world.files(item)]
        return page_of(world, values, f"/repos/{world.repository}/pulls/{parts[1]}/files", query, base)
    if len(parts) > 2:
        return None
    take(query)
    return 200, {}, (pull_value if parts[0] == "pulls" else item_value)(world, item, base)


def answer(world, target, base):
    """`target`: path with query; `base`: http://127.0.0.1:PORT."""
    url = urlsplit(target)
    query = dict(parse_qsl(url.query, keep_blank_values=True))
    if url.path == "/search/issues":
        return searched(world, query)
    for prefix in (f"/repos/{world.repository}/", "/repositories/65600975/"):
        if not url.path.startswith(prefix):
            continue
        if prefix.startswith("/repositories") and "after" not in query:
            raise Refused("an address by repository id without a cursor")
        parts = url.path[len(prefix):].split("/")
        if parts == ["issues"]:
            return listed(world, query, base)
        if parts == ["commits"]:
            return history(world, query, base)
        if parts[0] == "commits" and len(parts) == 2:
            take(query)
            sha = world.revision(parts[1])
            files = [file_value(file) for file in world.changed_files(f"{sha}^", sha)]
            return 200, {}, {**commit_value(world, sha), "files": files}
        if parts[0] in ("issues", "pulls") and len(parts) > 1 and parts[1].isdigit():
            return one_item(world, parts, query, base)
    return None
