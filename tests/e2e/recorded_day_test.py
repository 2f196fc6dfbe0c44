"""A recorded run replays to the same bytes with neither server, clone nor token, says that it is a replay, and is refused
when it is asked for something else or was changed. The recorded day of the demo is what its world gives today."""
import hashlib
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "demo"))
import day
import fake_github
from record_day import TOKEN, record
from support.binary import BINARY, RUN_NAME, ledger, run, run_directory, tree
from support.small_world import small_world

# Nothing here answers: a replay that asked it would fail.
NOWHERE = {"GITHUB_API_URL": "http://127.0.0.1:9", "GITHUB_SERVER_URL": "http://127.0.0.1:9", "PATH": "/nonexistent"}
OFFLINE_STAGES = ("filter", "compose")
# Says where the data came from, which is what differs.
SOURCE_FILES = ["timing.json", "manifest.json", "*.md"]


class Recordings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)

    def new_workspace(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.folder))

    def replay(self, recording, *more, command="collect", workspace=None):
        workspace = workspace or self.new_workspace()
        done = run(command, "--replay", recording, "--workspace", workspace, "--cache-dir", workspace / "cache", *more, env=NOWHERE)
        self.assertFalse((workspace / "cache").exists(), "a replay needs no cache")
        return done, workspace


class RecordedDayTest(Recordings):
    """The demo day live, recorded, and replayed."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.fresh, cls.live = cls.folder / "recorded", cls.folder / "live"
        cls.done = record(BINARY, cls.fresh, cls.live)

    def test_the_committed_recording_is_the_day_of_today(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        committed, fresh = tree(day.RECORDED), tree(self.fresh)
        different = sorted(name for name in {*committed, *fresh} if committed.get(name) != fresh.get(name))
        self.assertEqual(different, [], "what collect asks, or the day, has changed: run tests/demo/record_day.py BINARY")

    def test_the_replay_gives_the_bytes_of_the_live_run(self):
        done, workspace = self.replay(self.fresh)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("not asked for", done.stderr)
        live, replayed = run_directory(self.live), run_directory(workspace)
        # Composing and reporting on both: what comes of the bytes is equal, too.
        for directory in (live, replayed):
            for stage in OFFLINE_STAGES:
                self.assertEqual(run(stage, directory).returncode, 0)
            self.assertEqual(run("report", directory).returncode, 3)
        expected, found = tree(live, SOURCE_FILES), tree(replayed, SOURCE_FILES)
        self.assertGreater(len(expected), 60)
        self.assertEqual(sorted(found), sorted(expected))
        self.assertEqual([name for name in expected if found[name] != expected[name]], [])
        self.assertGreaterEqual(len(ledger(replayed)), 40)
        for name in ("full_scan.md", "issue_drafts.md", "repro_precheck.md"):
            before, after = ((path / "reports" / name).read_text() for path in (live, replayed))
            self.assertEqual(before.replace(" (demo)\n", " (replayed)\n", 1), after)
        self.assertEqual((replayed / "reports/full_scan.md").read_text().split("\n")[0],
                         "# XPU alignment scan 2026-11-28 to 2026-11-28 (replayed)")
        self.assertEqual(json.loads((replayed / "artifacts/manifest.json").read_text())["source"], "replayed")

    def test_a_replay_that_stopped_half_way_gives_the_same_bytes(self):
        _, workspace = self.replay(self.fresh)
        directory = run_directory(workspace)
        expected = tree(directory, ["timing.json"])
        (directory / "artifacts/collection.json").unlink()
        for path in sorted((directory / "artifacts/details").iterdir())[::2]:
            path.unlink()
        done, _ = self.replay(self.fresh, workspace=workspace)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(tree(directory, ["timing.json"]), expected)

    def test_the_recording_holds_no_secret_and_nothing_of_the_machine(self):
        for name, content in tree(self.fresh).items():
            for word in (TOKEN, "127.0.0.1", str(self.folder), "Authorization", "set-cookie", "x-github-request-id"):
                self.assertNotIn(word.lower().encode(), content.lower(), name)

    def test_something_else_than_recorded_is_refused_and_named(self):
        for options, word in ((["--since", "2026-11-27"], "2026-11-28-to-2026-11-28"), (["--repository", "a/b"], "pytorch/pytorch"),
                              (["--no-clone"], "with a clone")):
            done, workspace = self.replay(self.fresh, *options)
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn(word, done.stderr)
            self.assertEqual(list(workspace.iterdir()), [])
        done, _ = self.replay(self.fresh, "issue:900101", command="spot")
        self.assertEqual(done.returncode, 78, done.stderr)
        done, _ = self.replay(self.fresh, "--record", self.folder / "x")
        self.assertEqual(done.returncode, 64, done.stderr)

    def test_a_live_directory_is_not_filled_from_a_recording(self):
        done, _ = self.replay(self.fresh, workspace=self.live)
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("--fresh", done.stderr)

    def copied(self):
        copy = self.new_workspace() / "recording"
        shutil.copytree(self.fresh, copy)
        return copy

    def test_a_request_that_was_not_recorded_is_named(self):
        copy = self.copied()
        exchanges = json.loads((copy / "exchanges.json").read_text())
        gone = next(e for e in exchanges["exchanges"] if e["method"] == "POST")
        exchanges["exchanges"].remove(gone)
        self.forge(copy, "exchanges.json", json.dumps(exchanges))
        done, _ = self.replay(copy)
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("no answer to POST http://stand-in.invalid/graphql", done.stderr)

    def test_a_question_to_the_clone_that_was_not_recorded_is_named(self):
        copy = self.copied()
        answers = json.loads((copy / "repository.json").read_text())
        answers["answers"] = [a for a in answers["answers"] if a["question"] != "DiffOfCommit"]
        self.forge(copy, "repository.json", json.dumps(answers))
        done, _ = self.replay(copy)
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("no answer to DiffOfCommit of the clone (", done.stderr)

    def test_what_nobody_asked_for_is_told(self):
        copy = self.copied()
        exchanges = json.loads((copy / "exchanges.json").read_text())
        exchanges["exchanges"].append({"method": "GET", "url": "http://stand-in.invalid/more", "status": 200})
        self.forge(copy, "exchanges.json", json.dumps(exchanges))
        done, _ = self.replay(copy)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 recorded exchanges were not asked for, the first is GET http://stand-in.invalid/more", done.stderr)

    def forge(self, recording, name, text):
        (recording / name).write_text(text)
        manifest = json.loads((recording / "manifest.json").read_text())
        manifest["files"][name] = hashlib.sha256(text.encode()).hexdigest()
        (recording / "manifest.json").write_text(json.dumps(manifest))

    def test_a_changed_or_missing_recording_is_refused(self):
        copy = self.copied()
        with open(copy / "repository.json", "a") as file:
            file.write(" ")
        done, workspace = self.replay(copy)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("repository.json: its bytes are not those of the manifest", done.stderr)
        self.assertEqual(list(workspace.iterdir()), [])
        done, _ = self.replay(self.folder / "none")
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("there is no recording", done.stderr)

    def test_a_folder_with_files_is_not_recorded_into(self):
        before = tree(self.fresh)
        done = record(BINARY, self.fresh, self.new_workspace())
        self.assertEqual(done.returncode, 78, done.stderr)
        self.assertIn("the folder is not empty", done.stderr)
        self.assertEqual(tree(self.fresh), before)


class OtherRecordingsTest(Recordings):
    """What a night can also be: an item, without token or clone, with failing sources, with a leaked token."""

    def live(self, recording, *arguments, world=None, token=TOKEN, command="collect"):
        workspace = self.new_workspace()
        with fake_github.Server(world or small_world(), workspace) as server:
            environment = {"GITHUB_API_URL": server.base, **({"GITHUB_TOKEN": token} if token else {})}
            done = run(command, "--record", recording, "--workspace", workspace, "--cache-dir", workspace / "cache", "--clone-url",
                       f"{server.base}/pytorch/pytorch.git", *arguments, env=environment)
        return done, workspace / "agent_space_xpu/runs"

    def check_replays(self, recording, live_runs, code, **how):
        done, workspace = self.replay(recording, **how)
        self.assertEqual(done.returncode, code, done.stderr)
        replayed = workspace / "agent_space_xpu/runs"
        # A failure names the server, whose address a recording does not keep.
        expected = {name: re.sub(rb"http://127\.0\.0\.1:\d+", b"http://stand-in.invalid", content)
                    for name, content in tree(live_runs, SOURCE_FILES).items()}
        self.assertEqual(tree(replayed, SOURCE_FILES), expected)
        self.assertIn(f"{RUN_NAME}/artifacts/collection.json", tree(replayed))
        return done

    def test_without_token_and_clone(self):
        recording = self.folder / "rest"
        done, runs = self.live(recording, "--since", "2026-11-28", "--no-clone", token=None)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse([name for name in tree(recording) if "graphql" in name])
        self.check_replays(recording, runs, 0)

    def test_a_night_without_git_is_as_partial_again(self):
        recording = self.folder / "partial"
        world = {**small_world(), "faults": [{"on": "GET /pytorch/pytorch.git", "times": 9, "status": 503}]}
        done, runs = self.live(recording, "--since", "2026-11-28", world=world)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.check_replays(recording, runs, 3)

    def test_a_night_without_any_answer_fails_again_without_waiting(self):
        recording = self.folder / "dead"
        world = {**small_world(), "faults": [{"on": "GET /", "times": 99, "close": True}]}
        done, _ = self.live(recording, "--since", "2026-11-28", "--no-clone", world=world)
        self.assertEqual(done.returncode, 69, done.stderr)
        replayed, _ = self.replay(recording)
        self.assertEqual(replayed.returncode, 69, replayed.stderr)

    def test_a_leaked_token_of_somebody_fails_the_recording_and_not_the_run(self):
        recording = self.folder / "leaked"
        world = small_world()
        world["issues"][0]["body"] += "my token is " + "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
        done, runs = self.live(recording, "--since", "2026-11-28", world=world)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertIn("would hold what looks like a token of GitHub", done.stderr)
        self.assertNotIn("manifest.json", tree(recording))
        self.assertFalse([name for name, content in tree(recording).items() if b"ghp_" in content])
        self.assertTrue((runs / RUN_NAME / "artifacts/collection.json").exists())

    def test_an_item_is_recorded_and_replayed_without_naming_it(self):
        recording = self.folder / "spot"
        done, runs = self.live(recording, "pr:111", "--target", "cpu", "--python", "/nonexistent/python", command="spot")
        self.assertEqual(done.returncode, 72, done.stderr)  # the recording is finished although the night failed
        for named in ([], ["pr:111"], ["https://github.com/pytorch/pytorch/pull/111"]):
            replayed, workspace = self.replay(recording, *named, "--target", "cpu", "--python", "/nonexistent/python", command="spot")
            self.assertEqual(replayed.returncode, 72, replayed.stderr)
            self.assertEqual(tree(workspace / "agent_space_xpu/runs", SOURCE_FILES), tree(runs, SOURCE_FILES))
        other, _ = self.replay(recording, "pr:110", "--target", "cpu", command="spot")
        self.assertEqual(other.returncode, 78, other.stderr)
        self.assertIn("pr:111", other.stderr)
        window, _ = self.replay(recording)
        self.assertEqual(window.returncode, 78, window.stderr)


if __name__ == "__main__":
    unittest.main()
