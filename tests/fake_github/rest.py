"""The REST routes: (status, headers, JSON value) of a GET, or None when the world does not know the path."""
import base64
import datetime
import re
from urllib.parse import parse_qsl, urlencode, urlsplit

from . import shapes
from .history import git, seconds


class Refused(Exception):
    """A request that GitHub would take and our client must not send; the message says what is wrong."""


def commit_value(world, sha, base):
    repository = world.git[world.repository]
    message = git(repository, "show", "-s", "--format=%B", sha).decode().rstrip("\n")
    name, authored, committed, parents, tree = git(repository, "show", "-s", "--format=%an%n%at%n%ct%n%P%n%T",
                                                   sha).decode().split("\n")[:5]
    date = lambda stamp: datetime.datetime.fromtimestamp(int(stamp), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return shapes.commit(world, sha, {"message": message, "author": name, "authored": date(authored), "tree": tree,
                                      "committed": date(committed), "parents": parents.split()}, base)


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
    return page_of(world, [shapes.issue(world, item, base) for item in items],
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
    return page_of(world, [shapes.issue(world, item, base) for item in items],
                   f"/repos/{world.repository}/issues", query, base)


def searched(world, query):
    take(query, q=None, per_page={"1"})
    match = re.fullmatch(r"repo:(\S+) is:(issue|pr) created:(\S+)\.\.(\S+)", query.get("q", ""))
    if not match or match[1] != world.repository:
        raise Refused(f"search {query.get('q')!r}")
    first, last = seconds(match[3]), seconds(match[4])
    count = sum(item["is_pull"] == (match[2] == "pr") and first <= seconds(item["created_at"]) <= last
                for item in world.items.values())
    return 200, {}, {"total_count": world.search_counts.get(match[2], count), "incomplete_results": False, "items": [],
                     "search_type": "lexical"}


def history(world, query, base):
    take(query, sha={"main"}, since=None, until=None, per_page=None, after=None, page=None)
    shas = git(world.git[world.repository], "rev-list", "refs/heads/main", f"--since={query['since']}",
               f"--until={query['until']}").decode().split()
    return page_of(world, [commit_value(world, sha, base) for sha in shas], f"/repos/{world.repository}/commits", query, base)


def one_commit(world, sha, query, base):
    """300 files a page, as GitHub has it."""
    take(query, after=None, page=None, per_page=None)
    files = [shapes.file(world, file, base) for file in world.changed_files(f"{sha}^", sha)]
    status, headers, page = page_of(world, files, f"/repos/{world.repository}/commits/{sha}", {"per_page": "300", **query}, base)
    return status, headers, {**commit_value(world, sha, base), "files": page} if status == 200 else page


def one_item(world, parts, query, base):
    item = world.items.get(int(parts[1]))
    if item is None or (parts[0] == "pulls" and not item["is_pull"]):
        return 404, {}, {"message": "Not Found"}
    if item.get("gone"):
        return item["gone"], {}, {"message": {404: "Not Found", 410: "This issue was deleted"}.get(item["gone"], "Blocked")}
    if parts[2:] == ["comments"]:
        take(query, per_page=None, after=None, page=None)
        values = [shapes.comment(world, item, index, base) for index in range(len(item["comments"]))]
        return page_of(world, values, f"/repos/{world.repository}/issues/{parts[1]}/comments", query, base)
    if parts[2:] == ["files"]:
        take(query, per_page=None, after=None, page=None)
        values = [shapes.file(world, file, base) for file in world.files(item)]
        return page_of(world, values, f"/repos/{world.repository}/pulls/{parts[1]}/files", query, base)
    if len(parts) > 2:
        return None
    take(query)
    return 200, {}, (shapes.pull if parts[0] == "pulls" else shapes.issue)(world, item, base)


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
            try:
                return one_commit(world, world.revision(parts[1]), query, base)
            except ValueError:
                return 422, {}, {"message": f"No commit found for SHA: {parts[1]}"}
        if parts[0] in ("issues", "pulls") and len(parts) > 1 and parts[1].isdigit():
            return one_item(world, parts, query, base)
    return None
