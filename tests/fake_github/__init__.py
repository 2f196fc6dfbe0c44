"""A strict fake of GitHub on loopback: REST, GraphQL and git over HTTP, from one JSON file, the world.

As a program:  PYTHONPATH=tests python3 -m fake_github --world W.json --port-file F [--log L] [--life SECONDS]
writes its port to F when it is ready, one JSON line a request to L, and stops when its parent ends or after
SECONDS (600). API: http://127.0.0.1:PORT, clone: http://127.0.0.1:PORT/OWNER/NAME.git .
In Python:     with fake_github.Server(world, folder) as server: ... server.verdict()  # [] when all went as it should

Strict: a request that the world does not know is answered 500 and logged with "unexpected"; a stub or fault
with "must_be_used" that nobody used is logged at the end with "unused". Either makes `verdict` non-empty
and the exit status of the program 1. GraphQL fields and arguments outside schema.py fail as on GitHub.

The world (every member is optional unless it is marked with *):

  "repository"*  "pytorch/pytorch"
  "token"        requests that carry another Authorization get 401; GraphQL without one gets 401.
                 Without this member any token is good.
  "now"          RFC 3339; only used for rate limit headers. Default 2026-11-30T06:00:00Z.
  "page_size"    pages are never longer, whatever per_page says (to have three pages of a small world).
  "search_counts" {"issue": N, "pr": N}: what search claims instead of the truth.
  "rate"         {"core": N, "search": N, "graphql": N}: requests left at the start; default 5000, 30, 5000. At zero:
                 403 with x-ratelimit-remaining 0 and x-ratelimit-reset 60 seconds after "now"; the bucket is full
                 again after one refusal.
  "tls"          a file, relative to the world file, to write a certificate to that nobody signed: then the server speaks https
  "users"        {"login": "MEMBER"}: author association; default NONE. Any login may be used.
  "issues"       list of
     "number"* "title"* "created_at"*  "body" "author"  "state": "open"|"closed"  "labels": [..]
     "updated_at" (default created_at)  "closed_at"
     "comments": [{"author", "body", "created_at"}]
     "referenced_by": [numbers of this world that mention it]
     "closed_by": a number, or a revision (below)
     "gone": 404|410|451: listed, but its details are refused with this status (GraphQL: null and NOT_FOUND)
  "pulls"        list of the same, and
     "head"* "base"*: revisions   "merge": revision, only for a real merge   "merged_at"
     "closes": [issue numbers]
     "files": [{"path", "status", "additions", "deletions", "patch"}]  for REST; default: git diff base...head
  "git"          {"OWNER/NAME": "path of a bare repository, relative to the world file" or a history}
     A history is a list of commits, made into a repository with fixed dates, so that object ids are the same each time:
       {"name": "c1"*, "at": "2026-11-29T10:00:00Z"*, "message"*, "author": "login",
        "parent": "c0" (default: the commit before; null: none),
        "refs": ["refs/heads/main", "refs/pull/7/head"]   set to this commit (the last one that names a ref wins)
        "files": {"path": "whole text" | null to delete}}
     A `refs/heads/main` that is named stays the default branch.
  A revision is 40 hex digits, "commit:NAME" of the history of "repository", or whatever `git rev-parse` knows there.
  In "body", "message" and comments, "{sha:NAME}" becomes the object id of that commit (message: of an earlier commit).
  "faults"       list of {"on": "GET /repos/" (prefix of method and path with query) or "request": index from 0 of all
     requests, "times": 1, "skip": 0 matching requests (not counted: those that an earlier fault took) first, "must_be_used": true, and one of
     "status" with "headers" and "body" | "close": true (connection dropped without an answer) |
     "truncate": N (the true answer, cut after N bytes of its body, under the true Content-Length) |
     "stall": N (the true answer, silent for ever after N bytes of its body) |
     "cut_body": N (the same under a Content-Length of N: a whole answer that is not whole JSON)}
     "$BASE" in a header or body becomes http://127.0.0.1:PORT.
  "stubs"        list of {"on": "GET /exact/path?query", "status": 200, "headers": {}, "body": "..." or JSON,
     "must_be_used": true}: answers beyond the routes below; matched exactly.

Routes: GET /repos/O/R/issues?state=all&sort=created&direction=desc&per_page=N (also sort=updated&direction=asc&since=T)
and its Link cursors, /repos/O/R/issues/N, /repos/O/R/issues/N/comments, /repos/O/R/pulls/N, /repos/O/R/pulls/N/files,
/repos/O/R/commits?sha&since&until&per_page, /repos/O/R/commits/SHA, /search/issues?q=, POST /graphql, and git http-backend below /O/R.git
"""
from .server import Server  # noqa: E402,F401
