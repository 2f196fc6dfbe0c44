"""The shapes of GitHub's REST objects: every member that GitHub's own description requires, so that a real client takes
our answers (tests/contract/octokit_test.py validates them). Members that our client never reads have plain values."""
import zlib

USER_URLS = ("followers", "following", "gists", "starred", "subscriptions", "organizations", "repos", "events",
             "received_events")
REPOSITORY_URLS = (
    "archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits", "compare", "contents",
    "contributors", "deployments", "downloads", "events", "forks", "git_commits", "git_refs", "git_tags", "hooks",
    "issue_comment", "issue_events", "issues", "keys", "labels", "languages", "merges", "milestones", "notifications",
    "pulls", "releases", "stargazers", "statuses", "subscribers", "subscription", "tags", "teams", "trees")


def number_of(text):
    """An id that is the same each time."""
    return zlib.crc32(text.encode()) + 1


def user(login, base):
    url = f"{base}/users/{login}"
    return {"login": login, "id": number_of(login), "node_id": f"U_{login}", "type": "User", "site_admin": False,
            "avatar_url": f"{url}/avatar", "gravatar_id": "", "html_url": f"https://github.com/{login}", "url": url,
            **{f"{name}_url": f"{url}/{name}" for name in USER_URLS}}


def label(name, base):
    return {"id": number_of(name), "node_id": f"LA_{number_of(name)}", "url": f"{base}/labels/{number_of(name)}",
            "name": name, "description": None, "color": "ededed", "default": False}


def repository(full_name, base):
    owner, name = full_name.split("/")
    url, page = f"{base}/repos/{full_name}", f"https://github.com/{full_name}"
    return {"id": 65600975, "node_id": "R_65600975", "name": name, "full_name": full_name, "owner": user(owner, base),
            "private": False, "fork": False, "archived": False, "disabled": False, "description": None,
            "homepage": None, "language": "Python", "license": None, "mirror_url": None, "default_branch": "main",
            "html_url": page, "url": url, "clone_url": page + ".git", "git_url": page + ".git", "svn_url": page,
            "ssh_url": f"git@github.com:{full_name}.git", "size": 0, "has_pages": False,
            **{key: 0 for key in ("forks", "forks_count", "open_issues", "open_issues_count", "stargazers_count",
                                  "watchers", "watchers_count")},
            **{f"has_{key}": True for key in ("downloads", "issues", "projects", "wiki")},
            **{f"{key}_at": "2016-08-13T05:26:41Z" for key in ("created", "updated", "pushed")},
            **{f"{key}_url": f"{url}/{key}" for key in REPOSITORY_URLS}}


def item_urls(url):
    return {f"{name}_url": f"{url}/{name}" for name in ("comments", "events", "labels")}


def issue(world, item, base):
    kind = "pull" if item["is_pull"] else "issues"
    url = f"{base}/repos/{world.repository}/issues/{item['number']}"
    page = f"https://github.com/{world.repository}/{kind}/{item['number']}"
    value = {"id": item["number"] + 10 ** 9, "node_id": item["node_id"], "number": item["number"],
             "title": item["title"], "body": item["body"] or None, "state": item["state"], "locked": False,
             "comments": len(item["comments"]), "user": user(item["author"], base), "assignee": None, "assignees": [],
             "milestone": None, "labels": [label(name, base) for name in item["labels"]],
             "author_association": world.association(item["author"]), "created_at": item["created_at"],
             "updated_at": item["updated_at"], "closed_at": item.get("closed_at"), "html_url": page, "url": url,
             "repository_url": f"{base}/repos/{world.repository}", **item_urls(url)}
    if item["is_pull"]:
        value["draft"] = False
        value["pull_request"] = {"url": url.replace("/issues/", "/pulls/"), "html_url": page, "diff_url": page + ".diff",
                                 "patch_url": page + ".patch", "merged_at": item.get("merged_at")}
    return value


def pull(world, item, base):
    value = issue(world, item, base)
    for name in ("pull_request", "repository_url", "labels_url", "events_url"):
        del value[name]
    url, files = f"{base}/repos/{world.repository}/pulls/{item['number']}", world.files(item)
    links = {"self": url, "html": value["html_url"], "issue": value["url"], "comments": value["comments_url"],
             "review_comments": url + "/comments", "review_comment": url + "/comments{/number}",
             "commits": url + "/commits", "statuses": f"{base}/repos/{world.repository}/statuses/{item['head']}"}
    side = lambda sha, ref: {"label": f"owner:{ref}", "ref": ref, "sha": sha, "user": user(item["author"], base),
                             "repo": repository(world.repository, base)}
    return {**value, "url": url, "issue_url": links["issue"], "commits_url": links["commits"],
            "review_comments_url": links["review_comments"], "review_comment_url": links["review_comment"],
            "statuses_url": links["statuses"], "diff_url": value["html_url"] + ".diff",
            "patch_url": value["html_url"] + ".patch", "_links": {name: {"href": to} for name, to in links.items()},
            "merged_at": item.get("merged_at"), "merged": bool(item.get("merge")), "merged_by": None,
            "merge_commit_sha": item.get("merge"), "mergeable": None, "mergeable_state": "unknown", "auto_merge": None,
            "maintainer_can_modify": False, "review_comments": 0, "commits": len(world.own_commits(item)),
            "head": side(item["head"], "change"), "base": side(item["base"], "main"), "changed_files": len(files),
            "additions": sum(file.get("additions", 0) for file in files),
            "deletions": sum(file.get("deletions", 0) for file in files)}


def comment(world, item, index, base):
    value = item["comments"][index]
    url = f"{base}/repos/{world.repository}/issues"
    return {"id": item["number"] * 1000 + index, "node_id": f"IC_{item['number']}_{index}",
            "url": f"{url}/comments/{index}", "issue_url": f"{url}/{item['number']}",
            "html_url": f"https://github.com/{world.repository}/issues/{item['number']}#issuecomment-{index}",
            "user": user(value["author"], base), "author_association": world.association(value["author"]),
            "created_at": value["created_at"], "updated_at": value["created_at"], "body": value["body"]}


def commit(world, sha, facts, base):
    url = f"{base}/repos/{world.repository}"
    person = lambda at: {"name": facts["author"], "email": f"{facts['author']}@users.invalid", "date": at}
    return {"sha": sha, "node_id": f"C_{sha}", "url": f"{url}/commits/{sha}", "comments_url": f"{url}/commits/{sha}/comments",
            "html_url": f"https://github.com/{world.repository}/commit/{sha}",
            "author": user(facts["author"], base), "committer": user(facts["author"], base),
            "parents": [{"sha": parent, "url": f"{url}/commits/{parent}",
                         "html_url": f"https://github.com/{world.repository}/commit/{parent}"} for parent in facts["parents"]],
            "commit": {"url": f"{url}/git/commits/{sha}", "message": facts["message"], "comment_count": 0,
                       "author": person(facts["authored"]), "committer": person(facts["committed"]),
                       "tree": {"sha": facts["tree"], "url": f"{url}/git/trees/{facts['tree']}"}}}


def file(world, value, base):
    url = f"{base}/repos/{world.repository}"
    return {"sha": value.get("sha", "0" * 40), "filename": value["path"], "status": value["status"],
            "additions": value.get("additions", 0), "deletions": value.get("deletions", 0),
            "changes": value.get("additions", 0) + value.get("deletions", 0), "blob_url": f"{url}/blob",
            "raw_url": f"{url}/raw", "contents_url": f"{url}/contents",
            **({"patch": value["patch"]} if value.get("patch") else {})}
