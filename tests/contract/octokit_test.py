#!/usr/bin/env python3
"""The fake GitHub and our queries against what we did not write: GitHub's OpenAPI description, its GraphQL schema, and
Octokit, its own client. In the other direction they would tell when the fake, and with it every test, is wrong."""
import copy
import json
import os
import pathlib
import subprocess
import unittest
import urllib.error
import urllib.request

from fake_github import Server
from support.node_tools import node_modules

HERE = pathlib.Path(__file__).parent.resolve()
REPOSITORY = "pytorch/pytorch"
HISTORY = [
    {"name": "c0", "at": "2026-11-28T10:00:00Z", "message": "Begin\n", "files": {"a.py": "a = 1\n"}},
    {"name": "c1", "at": "2026-11-29T10:00:00Z", "message": "Change a\n", "refs": ["refs/heads/main"], "files": {"a.py": "a = 2\n"}},
    {"name": "p1", "parent": "c0", "at": "2026-11-29T11:00:00Z", "message": "Add b\n", "refs": ["refs/pull/7/head"],
     "files": {"b.py": "b = 1\n", "c.py": "c = 1\n", "d.py": ""}},
]
WORLD = {
    "repository": REPOSITORY, "page_size": 2, "git": {REPOSITORY: HISTORY}, "users": {"core": "MEMBER"}, "token": "secret",
    "issues": [{"number": n, "title": f"Issue {n}", "created_at": f"2026-11-29T0{n}:00:00Z", "author": "ann",
                "labels": ["bug", "module: nn"], "body": "text" if n > 1 else "",
                "comments": [{"author": "core", "body": f"{i}", "created_at": "2026-11-29T08:00:00Z"} for i in range(3)]}
               for n in (1, 2, 3, 4)] +
              [{"number": 5, "title": "Gone", "created_at": "2026-11-29T05:00:00Z", "gone": 410},
               {"number": 6, "title": "Closed", "created_at": "2026-11-29T06:00:00Z", "state": "closed",
                "closed_at": "2026-11-29T07:00:00Z"}],
    "pulls": [{"number": 7, "title": "Add b", "created_at": "2026-11-29T07:00:00Z", "head": "refs/pull/7/head",
               "base": "commit:c0", "state": "closed", "merged_at": "2026-11-29T09:00:00Z", "merge": "commit:c1"}],
}
LIST = "issues?state=all&sort=created&direction=desc&per_page=100"


def node(*arguments, value=None):
    done = subprocess.run(["node", str(HERE / "octokit.mjs"), str(node_modules()), *arguments], text=True, capture_output=True,
                          input="" if value is None else json.dumps(value))
    return done.returncode, done.stdout + done.stderr


def get(address):
    """(status, body, address of the next page) as our client would ask."""
    request = urllib.request.Request(address, headers={"Authorization": "Bearer secret"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            link = answer.headers["Link"]
            return answer.status, json.loads(answer.read()), link.split(">")[0][1:] if link else None
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read()), None


def answers(server):
    """Every kind of REST answer that the fake gives, under the name that GitHub has for it."""
    here = f"/repos/{{owner}}/{{repo}}/"
    sha = server.world.oids["c1"]
    asked = [(here + "issues", LIST), (here + "issues/{issue_number}", "issues/1"), (here + "issues/{issue_number}", "issues/5"),
             (here + "issues/{issue_number}", "issues/99"), (here + "issues/{issue_number}", "issues/6"),
             (here + "issues/{issue_number}/comments", "issues/1/comments?per_page=100"),
             (here + "pulls/{pull_number}", "pulls/7"), (here + "pulls/{pull_number}/files", "pulls/7/files?per_page=100"),
             (here + "commits", "commits?sha=main&since=2026-11-01T00:00:00Z&until=2026-11-30T00:00:00Z&per_page=100"),
             (here + "commits/{ref}", f"commits/{sha}")]
    found = []
    for name, path in asked:
        address = f"{server.base}/repos/{REPOSITORY}/{path}"
        while address:
            status, body, address = get(address)
            found.append({"path": name, "status": status, "body": body})
    query = f"/search/issues?q=repo:{REPOSITORY}+is:issue+created:2026-11-29T00:00:00Z..2026-11-29T23:59:59Z&per_page=1"
    status, body, _ = get(server.base + query)
    return found + [{"path": "/search/issues", "status": status, "body": body}]


class Octokit(unittest.TestCase):
    def test_rest_answers_are_valid(self):
        with Server(WORLD) as server:
            found = answers(server)
        self.assertEqual({one["status"] for one in found}, {200, 404, 410})
        self.assertEqual(node("validate", value=found), (0, ""))
        self.assertEqual(server.verdict(), [])

    def test_an_answer_that_is_not_github_s_is_found(self):
        with Server(WORLD) as server:
            wrong = copy.deepcopy(answers(server)[0])
        del wrong["body"][0]["user"]["login"]
        wrong["body"][1]["comments"] = "3"
        status, output = node("validate", value=[wrong])
        self.assertEqual(status, 1)
        self.assertIn("/0/user", output)
        self.assertIn("/1/comments", output)

    def test_our_queries_are_valid(self):
        texts = json.loads(subprocess.run([os.environ["DETAILS_QUERIES"]], capture_output=True, text=True, check=True).stdout)
        self.assertEqual(len(texts), 5)
        self.assertEqual(node("queries", value=texts), (0, ""))
        status, output = node("queries", value=[texts[1].replace("authorAssociation", "mood", 1)])
        self.assertEqual(status, 1)
        self.assertIn('Cannot query field "mood"', output)

    def test_octokit_sees_what_we_see(self):
        with Server(WORLD) as server:
            for path, key in ((LIST, "number"), ("pulls/7/files?per_page=100", "filename"),
                              ("issues/1/comments?per_page=100", "id")):
                ours, address = [], f"{server.base}/repos/{REPOSITORY}/{path}"
                while address:
                    status, page, address = get(address)
                    self.assertEqual(status, 200)
                    ours += page
                status, output = node("page", server.base, REPOSITORY, f"/repos/{{owner}}/{{repo}}/{path}")
                self.assertEqual(status, 0, output)
                self.assertEqual(json.loads(output), ours)
                self.assertGreater(len(ours), WORLD["page_size"])
                self.assertEqual(len({one[key] for one in ours}), len(ours))
        self.assertEqual(server.verdict(), [])


if __name__ == "__main__":
    unittest.main()
