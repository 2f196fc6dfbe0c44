#!/usr/bin/env python3
"""The fake GitHub itself: strict where it says so, and the same to real git as a server is."""
import http.client
import json
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

from fake_github import Server
from fake_github.history import ENVIRONMENT

REPOSITORY = "pytorch/pytorch"
HISTORY = [
    {"name": "c0", "at": "2026-11-28T10:00:00Z", "message": "Begin\n", "files": {"a.py": "a = 1\n"}},
    {"name": "c1", "at": "2026-11-29T10:00:00Z", "message": "Change a\n\nAfter {sha:c0}\n", "refs": ["refs/heads/main"],
     "files": {"a.py": "a = 2\n"}},
    {"name": "p1", "parent": "c0", "at": "2026-11-29T11:00:00Z", "message": "Add b\n", "refs": ["refs/pull/3/head"],
     "files": {"b.py": "b = 1\n"}},
]


def world(**more):
    return {
        "repository": REPOSITORY, "page_size": 2, "git": {REPOSITORY: HISTORY},
        "issues": [{"number": n, "title": f"Issue {n}", "created_at": f"2026-11-29T0{n}:00:00Z"} for n in (1, 2)] +
                  [{"number": 4, "title": "Gone", "created_at": "2026-11-29T04:00:00Z", "gone": 410}],
        "pulls": [{"number": 3, "title": "Add b", "created_at": "2026-11-29T03:00:00Z", "head": "refs/pull/3/head",
                   "base": "commit:c0", "closes": [1]}],
        **more}


class FakeGithub(unittest.TestCase):
    def get(self, server, path, data=None, headers=None):
        address = path if path.startswith("http") else server.base + path
        request = urllib.request.Request(address, data=data, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.headers, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, json.loads(error.read() or b"null")

    def graphql(self, server, query, **variables):
        body = json.dumps({"query": query, "variables": variables}).encode()
        return self.get(server, "/graphql", body, {"Authorization": "Bearer t"})[2]

    LIST = f"/repos/{REPOSITORY}/issues?state=all&sort=created&direction=desc&per_page=100"

    def test_pages_are_reached_by_the_link_only(self):
        with Server(world()) as server:
            _, headers, first = self.get(server, self.LIST)
            address = headers["Link"].split(">")[0][1:]
            _, headers, second = self.get(server, address)
            self.assertIsNone(headers["Link"])
            self.assertEqual([item["number"] for item in first + second], [4, 3, 2, 1])
            self.assertIn("pull_request", first[1])
            self.assertEqual(self.get(server, self.LIST + "&page=2")[0], 422)
        self.assertEqual(server.verdict(), [])

    def test_unexpected_requests_fail_the_verdict(self):
        with Server(world()) as server:
            self.assertEqual(self.get(server, "/repos/pytorch/pytorch/labels")[0], 500)
            self.assertEqual(self.get(server, self.LIST + "&labels=x")[0], 500)
        self.assertEqual(len(server.verdict()), 2)

    def test_unused_stubs_and_faults_fail_the_verdict(self):
        with Server(world(stubs=[{"on": "GET /a"}, {"on": "GET /b", "must_be_used": False}],
                          faults=[{"request": 7, "status": 502}])) as server:
            pass
        self.assertEqual(len(server.verdict()), 2)

    def test_graphql_answers_and_refuses_like_github(self):
        with Server(world()) as server:
            query = """query($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on PullRequest { number headRefOid
                closingIssuesReferences(first: 10) { nodes { number } } commits(first: 1) { totalCount } } } }"""
            answer = self.graphql(server, query, ids=["PR_kw3", "I_kw4"])
            self.assertEqual(answer["data"]["nodes"][0]["closingIssuesReferences"]["nodes"], [{"number": 1}])
            self.assertEqual(answer["data"]["nodes"][0]["commits"], {"totalCount": 1})
            self.assertIsNone(answer["data"]["nodes"][1])
            self.assertEqual(answer["errors"][0]["type"], "NOT_FOUND")
            self.assertEqual(server.verdict(), [])
            refused = self.graphql(server, "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Issue { mood } } }", ids=["I_kw1"])
            self.assertEqual(refused["errors"][0]["message"], "Field 'mood' doesn't exist on type 'Issue'")
        self.assertEqual(len(server.verdict()), 1)

    def test_faults_hit_the_requests_they_name(self):
        faults = [{"request": 0, "status": 502}, {"on": "GET /repos/", "skip": 1, "truncate": 10}]
        with Server(world(faults=faults)) as server:
            self.assertEqual(self.get(server, self.LIST)[0], 502)
            self.assertEqual(self.get(server, self.LIST)[0], 200)
            with self.assertRaises(http.client.IncompleteRead):
                self.get(server, self.LIST)
            self.assertEqual(self.get(server, self.LIST)[0], 200)
        self.assertEqual(server.verdict(), [])

    def test_token_and_rate_limit(self):
        with Server(world(token="right", rate={"core": 1})) as server:
            self.assertEqual(self.get(server, self.LIST, headers={"Authorization": "Bearer wrong"})[0], 401)
            self.assertEqual(self.get(server, self.LIST, headers={"Authorization": "Bearer right"})[0], 200)
            status, headers, _ = self.get(server, self.LIST)
            self.assertEqual((status, headers["x-ratelimit-remaining"]), (403, "0"))
            self.assertEqual(self.get(server, self.LIST)[0], 200)

    def test_git_clones_the_history(self):
        with Server(world()) as server, tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "clone", "-q", "--bare", f"{server.base}/{REPOSITORY}.git", folder + "/c"], check=True,
                           env=ENVIRONMENT, capture_output=True)
            log = subprocess.run(["git", "-C", folder + "/c", "log", "--format=%H %s", "main"], capture_output=True,
                                 text=True, check=True).stdout
            self.assertEqual(log.split("\n")[0], server.world.oids["c1"] + " Change a")
            body = subprocess.run(["git", "-C", folder + "/c", "show", "-s", "--format=%b", "main"],
                                  capture_output=True, text=True, check=True).stdout
            self.assertIn(server.world.oids["c0"], body)
        self.assertEqual(server.verdict(), [])

    def test_object_ids_are_the_same_each_time(self):
        with Server(world()) as first, Server(world()) as second:
            self.assertEqual(first.world.oids, second.world.oids)
            self.assertEqual(len(set(first.world.oids.values())), 3)

    def test_world_mistakes_are_named(self):
        with self.assertRaisesRegex(ValueError, "unknown members"):
            Server(world(weather=1))
        with self.assertRaisesRegex(ValueError, "lacks"):
            Server(world(issues=[{"number": 1}]))


if __name__ == "__main__":
    unittest.main()
