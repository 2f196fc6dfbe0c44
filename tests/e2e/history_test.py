"""Nights one after the other, as a runner sees them: gaps, catch-up, what is not looked at or fetched a second time,
and a history that is lost, broken, made anew or used by several processes at once.

The candidates need no interpreter: a script that only measures time is done as soon as judge has seen it.
"""
import concurrent.futures
import json
import pathlib
import shutil
import sqlite3
import tempfile
import unittest

import fake_github
from support.binary import ledger, run

SCRIPT = "```python\nimport time\nimport torch\nx = torch.zeros(2, device=\"cuda\")\nt = time.time()\nx + x\nprint(time.time() - t)\n```\n"
STAGES = ("filter", "compose", "judge", "settle", "report")
RESOLVED = "Pull Request resolved: https://github.com/pytorch/pytorch/pull/{}\n"


def seconds(date):
    """A quarter past six in the morning of this day."""
    return str(fake_github.server.seconds(date + "T06:15:00Z"))


def slow(number, day, **more):
    """Each with a script of its own: candidates with equal ones are a chain."""
    return {"number": number, "title": f"torch.mm {number} is slower than before", "author": "ada",
            "body": SCRIPT.replace("zeros(2", f"zeros({number}"), "created_at": f"2026-11-{day}T10:00:00Z", **more}


def world():
    """Issues 301, 303, 305, 307 of the 24th to the 27th; pull request 310 of the 24th lands on the 26th."""
    return {
        "repository": "pytorch/pytorch", "issues": [slow(301, 24), slow(303, 25), slow(305, 26), slow(307, 27)],
        "pulls": [slow(310, 24, head="commit:p310", base="commit:c0", title="Make torch.add slower")],
        "git": {"pytorch/pytorch": [
            {"name": "c0", "at": "2026-11-20T10:00:00Z", "message": "Start", "files": {"torch/a.py": "x = 1\n"},
             "refs": ["refs/heads/main"]},
            {"name": "p310", "at": "2026-11-24T02:00:00Z", "message": "Slower", "files": {"torch/a.py": "x = 2\n"},
             "refs": ["refs/pull/310/head"]},
            {"name": "c1", "at": "2026-11-26T03:00:00Z", "parent": "c0", "refs": ["refs/heads/main"],
             "message": "Make torch.add slower (#310)\n\n" + RESOLVED.format(310), "files": {"torch/a.py": "x = 2\n"}}]}}


def item(data, number):
    return next(one for one in data["issues"] + data["pulls"] if one["number"] == number)


class HistoryTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.world = world()
        self.database = self.folder / "cache/history.db"

    def command(self, server, day, *arguments, workspace="workspace", target="cpu"):
        return run(*arguments, "--target", target, "--workspace", self.folder / workspace, "--cache-dir", self.folder / "cache",
                   *(["--clone-url", f"{server.base}/pytorch/pytorch.git"] if arguments[0] == "collect" else []), cwd=self.folder,
                   env={"GITHUB_API_URL": server.base, "GITHUB_TOKEN": "t", "SOURCE_DATE_EPOCH": seconds(day)})

    def serve(self):
        server = fake_github.Server(self.world, self.folder)
        self.addCleanup(server.close)
        return server

    def runs(self, workspace="workspace"):
        return self.folder / workspace / "agent_space_xpu/runs"

    def directory(self, first, last=None, workspace="workspace"):
        return self.runs(workspace) / f"2026-11-{first}-to-2026-11-{last or first}"

    def file(self, directory, name):
        return json.loads((directory / "artifacts" / name).read_text())

    def collect(self, day, *arguments, code=0, **more):
        server = self.serve()
        done = self.command(server, day, "collect", *arguments, **more)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(server.verdict(), [])
        return done, server

    def scan(self, first, last=None, day="2026-11-29", code=0, workspace="workspace"):
        """A whole scan of these days of November, audited."""
        last = last or first
        done, server = self.collect(day, "--since", f"2026-11-{first}", "--until", f"2026-11-{last}", workspace=workspace)
        for stage in STAGES:
            again = self.command(server, day, stage, self.directory(first, last, workspace))
            self.assertEqual(again.returncode, code if stage == "report" else 0, stage + again.stderr)
        return done, server

    def outcomes(self):
        with sqlite3.connect(self.database) as database:
            return dict(database.execute("SELECT first_day || ' ' || last_day, outcome FROM runs"))

    def rows(self, first, last=None):
        return ledger(self.directory(first, last))

    # ---- two nights in a row

    def test_two_nights_in_a_row(self):
        self.scan(24, day="2026-11-25")
        self.assertEqual(self.rows(24)["issue-301"]["local_bucket"], "needs-performance-harness")
        done, _ = self.collect("2026-11-26")  # no date: yesterday
        self.assertNotIn("no complete run covers", done.stderr)
        self.assertEqual(self.rows(25)["issue-303"]["title_status"], "pass")
        self.assertEqual(self.outcomes(), {"2026-11-24 2026-11-24": "complete", "2026-11-25 2026-11-25": "partial"})
        self.assertFalse((self.directory(25) / "artifacts/history_used.json").exists())

    def test_a_pull_request_that_lands_later_is_looked_at_again(self):
        self.scan(24)
        self.assertEqual(self.rows(24)["pr-310"]["local_status"], "done")
        self.scan(25)
        self.scan(26)
        row = self.rows(26)["pr-310"]
        self.assertEqual((row["title_status"], row.get("title_rule", "")), ("pass", ""))
        # Once it was processed with its landing, a wider window has nothing new to ask of it.
        self.scan(24, 27)
        self.assertEqual(self.rows(24, 27)["pr-310"]["title_rule"], "already-processed")

    # ---- already-processed, and details that are not fetched again

    def test_an_overlapping_window(self):
        self.scan(24)
        self.collect("2026-11-26", "--since", "2026-11-24", "--until", "2026-11-25")
        rows = self.rows(24, 25)
        self.assertEqual({name: row.get("title_rule", "") for name, row in rows.items()},
                         {"issue-301": "already-processed", "issue-303": "", "pr-310": "already-processed"})
        self.assertEqual(rows["issue-301"]["title_status"], "reject")
        self.assertIsNone(rows["issue-301"]["local_bucket"])
        used = self.file(self.directory(24, 25), "history_used.json")
        self.assertEqual(used["already_processed"], [
            {"id": name, "window": "2026-11-24-to-2026-11-24", "bucket": "needs-performance-harness"}
            for name in ("issue-301", "pr-310")])
        done = run("explain", "issue-301", "--run", self.directory(24, 25))
        self.assertIn("the run 2026-11-24-to-2026-11-24 gave it the bucket needs-performance-harness", done.stdout)
        # The same window again, elsewhere, uses the same history and gives the same.
        self.collect("2026-11-26", "--since", "2026-11-24", "--until", "2026-11-25", workspace="second")
        self.assertEqual((self.directory(24, 25, "second") / "artifacts/candidate_ledger.jsonl").read_bytes(),
                         (self.directory(24, 25) / "artifacts/candidate_ledger.jsonl").read_bytes())
        # A report of it counts them as rejected by title, and its audit agrees.
        self.scan(24, 25, workspace="third")
        self.assertIn("artifacts/history_used.json", self.file(self.directory(24, 25, "third"), "manifest.json")["files"])

    def test_what_changed_is_looked_at_again(self):
        self.scan(24)
        item(self.world, 301).update(updated_at="2026-11-25T11:00:00Z",
                                     comments=[{"author": "ada", "body": SCRIPT, "created_at": "2026-11-25T11:00:00Z"}])
        self.collect("2026-11-26", "--since", "2026-11-24", "--until", "2026-11-25")
        self.assertEqual(self.rows(24, 25)["issue-301"]["title_status"], "pass")

    def test_a_label_alone_is_no_reason_to_look_again(self):
        self.scan(24)
        item(self.world, 301).update(updated_at="2026-11-25T11:00:00Z", labels=["triaged"])
        self.collect("2026-11-26", "--event", "updated", "--since", "2026-11-25")
        row = self.rows(25)["issue-301"]
        self.assertEqual((row["title_status"], row["title_rule"]), ("reject", "already-processed"))

    def detail_requests(self, server):
        return sum(entry.get("nodes", 0) for entry in server.log)

    def test_unchanged_details_are_not_fetched_again(self):
        # Collected, never processed: nothing is rejected, and all the same nothing is fetched twice.
        _, first = self.collect("2026-11-26", "--since", "2026-11-24", "--until", "2026-11-25")
        self.assertEqual(self.detail_requests(first), 3)
        item(self.world, 303)["updated_at"] = "2026-11-26T20:00:00Z"
        done, second = self.collect("2026-11-27", "--since", "2026-11-24", "--until", "2026-11-26")
        # 303 was updated, 305 is new, 310 has landed: 301 is as it was.
        self.assertIn("details of 1 are those of earlier runs", done.stderr)
        self.assertEqual(self.detail_requests(second), 3)

    def test_the_bytes_are_the_same_wherever_they_come_from(self):
        self.collect("2026-11-26", "--since", "2026-11-24", "--until", "2026-11-25")
        _, server = self.collect("2026-11-28", "--since", "2026-11-25", "--until", "2026-11-27")
        self.assertEqual(self.detail_requests(server), 3)  # 305, 307 and 310, which landed
        used = self.file(self.directory(25, 27), "history_used.json")["reused_details"]
        self.assertEqual([(one["id"], one["window"]) for one in used], [("issue-303", "2026-11-24-to-2026-11-25")])
        details = self.file(self.directory(25, 27), "collection.json")["sources"][-1]
        self.assertEqual((details["name"], details["items"], details["reused"]), ("details", 5, 1))
        self.assertEqual((self.directory(25, 27) / "artifacts/details/issue-303.json").read_bytes(),
                         (self.directory(24, 25) / "artifacts/details/issue-303.json").read_bytes())

    def test_details_that_somebody_changed_are_fetched(self):
        self.collect("2026-11-26", "--since", "2026-11-25")
        path = self.directory(25) / "artifacts/details/issue-303.json"
        path.write_text(path.read_text().replace("ada", "eve"))
        _, server = self.collect("2026-11-27", "--since", "2026-11-25", "--until", "2026-11-26")
        self.assertEqual(self.detail_requests(server), 3)
        self.assertIn("ada", (self.directory(25, 26) / "artifacts/details/issue-303.json").read_text())

    # ---- gaps and catch-up

    def test_a_gap_is_said_with_its_command_and_caught_up(self):
        self.scan(24)
        done, _ = self.collect("2026-11-28")
        self.assertIn("no complete run covers 2026-11-25 to 2026-11-26; `xpu-align run --since 2026-11-25 --until 2026-11-26 "
                      "--target cpu` makes up for it", done.stderr)
        self.assertEqual(self.file(self.directory(27), "collection.json")["gaps"], [{"start": "2026-11-25", "end": "2026-11-26"}])
        done, _ = self.collect("2026-11-28", "--catch-up")
        self.assertIn("the last complete run ended with 2026-11-24: the window is 2026-11-25 to 2026-11-27", done.stderr)
        collection = self.file(self.directory(25, 27), "collection.json")
        self.assertEqual(collection["caught_up"], {"start": "2026-11-25", "end": "2026-11-27"})
        self.assertNotIn("gaps", collection)
        self.assertEqual(set(self.rows(25, 27)) & {"issue-301", "issue-303", "issue-305", "issue-307"},
                         {"issue-303", "issue-305", "issue-307"})

    def test_catch_up_is_bounded_and_says_what_it_leaves_out(self):
        self.scan(24)
        done, _ = self.collect("2026-12-11", "--catch-up")
        self.assertIn("not caught up: 2026-11-25 to 2026-11-26, more than 14 days back; `xpu-align run --since 2026-11-25 --until "
                      "2026-11-26 --target cpu` scans it", done.stderr)
        self.assertTrue((self.runs() / "2026-11-27-to-2026-12-10").is_dir())

    def test_catch_up_with_nothing_to_catch_up(self):
        done, _ = self.collect("2026-11-26", "--catch-up")
        self.assertIn("no complete run is in the history", done.stderr)
        self.assertTrue(self.directory(25).is_dir())

    def test_runs_of_another_source_do_not_count(self):
        self.scan(24)
        with sqlite3.connect(self.database) as database:  # as if they had come from GitHub itself
            database.execute("UPDATE runs SET source = 'live'")
        done, server = self.collect("2026-11-28", "--since", "2026-11-24", "--until", "2026-11-27")
        self.assertNotIn("no complete run covers", done.stderr)
        self.assertEqual(self.rows(24, 27)["issue-301"]["title_status"], "pass")
        self.assertEqual(self.detail_requests(server), 5)

    def test_a_window_in_the_future_is_refused(self):
        done = self.command(self.serve(), "2026-11-26", "collect", "--since", "2026-11-27")
        self.assertEqual(done.returncode, 64)
        self.assertIn("--since 2026-11-27 is in the future; today is 2026-11-26 (UTC), the last whole day is 2026-11-25", done.stderr)
        self.assertFalse(self.runs().exists())

    def test_today_is_incomplete_until_it_is_over(self):
        done, _ = self.collect("2026-11-26", "--since", "2026-11-26", code=3)
        self.assertIn("window incomplete: it is over at 2026-11-27T00:00:00Z", done.stderr)
        self.collect("2026-11-27", "--since", "2026-11-26")
        self.assertTrue(all(source["complete"] for source in self.file(self.directory(26), "collection.json")["sources"]))

    # ---- windows by created, updated or merged

    def ids(self, *arguments):
        done, _ = self.collect("2026-11-29", *arguments)
        return {row for row in self.rows(26) if not row.startswith("commit-")}

    def test_created(self):
        self.assertEqual(self.ids("--since", "2026-11-26"), {"issue-305", "pr-310"})

    def test_updated(self):
        item(self.world, 303).update(updated_at="2026-11-26T12:00:00Z")
        self.assertEqual(self.ids("--since", "2026-11-26", "--event", "updated"), {"issue-303", "issue-305", "pr-310"})
        events = {one["id"]: [event["name"] for event in one["events"]]
                  for one in self.file(self.directory(26), "raw_candidates.json")["candidates"]}
        self.assertEqual(events["issue-303"], ["updated"])
        self.assertEqual(self.file(self.directory(26), "manifest.json")["identity"]["events"], "updated")

    def test_merged(self):
        # 310 is landed by the bot; 312 was merged by GitHub itself, 313 was closed.
        for number, merged in ((312, "2026-11-26T09:00:00Z"), (313, None)):
            self.world["pulls"].append(slow(number, 22, head="commit:p310", base="commit:c0", state="closed",
                                            closed_at="2026-11-26T09:00:00Z", updated_at="2026-11-26T09:00:00Z",
                                            **({"merged_at": merged} if merged else {})))
        self.assertEqual(self.ids("--since", "2026-11-26", "--event", "merged"), {"pr-310", "pr-312"})

    def test_another_event_is_another_run(self):
        self.collect("2026-11-29", "--since", "2026-11-26")
        done, _ = self.collect("2026-11-29", "--since", "2026-11-26", "--event", "updated", code=78)
        self.assertIn("its events is 'created', asked for is 'updated'", done.stderr)

    # ---- the file

    def dump(self):
        with sqlite3.connect(self.database) as database:
            return (database.execute("SELECT directory, repository, target, source, first_day, last_day, events, outcome, torch_version, "
                                     "build, version, started_at, finished_at FROM runs ORDER BY directory").fetchall(),
                    database.execute("SELECT directory, candidate, reached, bucket, verdict, updated_at, merged_at, text_sha256, "
                                     "details_sha256 FROM rows JOIN runs USING (run) ORDER BY 1, 2").fetchall())

    def test_rebuilt_is_what_was_recorded(self):
        self.scan(24)
        self.scan(25)
        self.collect("2026-11-28", "--since", "2026-11-24", "--until", "2026-11-26")
        recorded = self.dump()
        self.assertEqual([run[7] for run in recorded[0]], ["complete", "partial", "complete"])
        self.assertEqual(len(recorded[1]), 2 + 1 + 5)
        for path in self.database.parent.glob("history.db*"):
            path.unlink()
        server = self.serve()
        done = self.command(server, "2026-11-29", "history", "rebuild")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.dump(), recorded)
        # Directories can be named, one by one or by their folder; nothing is written into them.
        for arguments in ((self.runs(),), sorted(self.runs().iterdir())):
            self.assertEqual(self.command(server, "2026-11-29", "history", "rebuild", *arguments).returncode, 0)
            self.assertEqual(self.dump(), recorded)

    def test_history_prints_runs_and_gaps(self):
        server = self.serve()
        self.assertIn("no history yet", self.command(server, "2026-11-28", "history").stdout)
        self.assertFalse(self.database.exists())
        self.scan(24)
        self.scan(26)
        done = self.command(server, "2026-11-28", "history")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[1], r"^2026-11-24-to-2026-11-24 +cpu +created +demo +complete +2 +2 +- +2026-11-29T06:15:00Z +pytorch/pytorch +/")
        self.assertEqual(lines[3:], [
            "gap: 2026-11-25-to-2026-11-25 (demo): `xpu-align run --since 2026-11-25 --until 2026-11-25 --target cpu`",
            "gap: 2026-11-27-to-2026-11-27 (demo): `xpu-align run --since 2026-11-27 --until 2026-11-27 --target cpu`"])
        self.assertEqual(self.command(server, "2026-11-28", "history", "forget").returncode, 64)

    def test_a_damaged_file_costs_the_history_and_not_the_run(self):
        self.scan(24)
        for path in self.database.parent.glob("history.db-*"):
            path.unlink()
        self.database.write_bytes(b"\xff" * 9000)
        done, _ = self.collect("2026-11-26")
        self.assertIn("is damaged", done.stderr)
        self.assertIn("it is now history.db.damaged1", done.stderr)
        self.assertEqual(self.outcomes(), {"2026-11-25 2026-11-25": "partial"})
        self.assertEqual(self.command(self.serve(), "2026-11-26", "history", "rebuild").returncode, 0)
        self.assertEqual(self.outcomes(), {"2026-11-24 2026-11-24": "complete", "2026-11-25 2026-11-25": "partial"})

    def test_a_newer_file_is_left_alone(self):
        self.scan(24)
        with sqlite3.connect(self.database) as database:
            database.execute("PRAGMA user_version = 9")
        done, _ = self.collect("2026-11-26")
        self.assertIn("this run goes without history: the history", done.stderr)
        self.assertIn("was written by a newer xpu-align (version 9, this one knows 1)", done.stderr)
        for arguments in ((), ("rebuild",)):
            self.assertEqual(self.command(self.serve(), "2026-11-26", "history", *arguments).returncode, 78)
        self.assertEqual(len(self.outcomes()), 1)

    def test_several_processes_at_once(self):
        server = self.serve()
        names = [f"workspace{number}" for number in range(4)]

        def one(name):
            return self.command(server, "2026-11-29", "collect", "--since", "2026-11-24", "--no-clone", workspace=name)

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for done in pool.map(one, names):
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("history", done.stderr)
        recorded = self.dump()
        self.assertEqual([pathlib.Path(run[0]).parts[-4] for run in recorded[0]], names)
        self.assertEqual(len(recorded[1]), 4 * 2)

    def test_a_stage_on_a_strange_directory_begins_no_history(self):
        server = self.serve()
        self.collect("2026-11-29", "--since", "2026-11-24")
        shutil.rmtree(self.folder / "cache")
        for stage in STAGES:
            self.assertEqual(self.command(server, "2026-11-29", stage, self.directory(24)).returncode, 0, stage)
        self.assertFalse((self.folder / "cache").exists())


if __name__ == "__main__":
    unittest.main()
