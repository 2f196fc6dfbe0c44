"""Time and memory of `distill` against `git cat-file --batch` over the same blobs.

Usage: distill_bench.py PROGRAM SCOPE ID=CLONE...   Prints medians of five runs in seconds of processor time (user and
system, which other load disturbs less than the clock does) and of the clock, and the largest RssAnon that was seen.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5


def once(command, stdin=None):
    """(seconds of processor, seconds of the clock, KiB of anonymous memory at its largest)"""
    begin, before = time.monotonic(), os.times()
    process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    largest = 0
    while process.poll() is None:
        try:
            for line in open(f"/proc/{process.pid}/status"):
                if line.startswith("RssAnon:"):
                    largest = max(largest, int(line.split()[1]))
        except OSError:
            pass
        time.sleep(0.001)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, time.monotonic() - begin, largest


def main():
    program, scope, *clones = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        common = ["--scope", scope, "--out", str(out)] + [x for clone in clones for x in ("--repo", clone)]

        def commands(action, cache):
            return [program, "distill", action, *common, "--cache-dir", f"{folder}/{cache}"]
        subprocess.run(commands("build", "warm"), stdout=subprocess.DEVNULL)
        readset = json.loads((out / "readset.json").read_text())
        files = {(f["repo"], f["blob"]): f["lines"] for area in readset["areas"] for f in area["files"]}
        print(f"{len(files)} blobs, {sum(files.values())} lines")
        rows = {}
        for run in range(RUNS):
            total = [0, 0, 0]
            for clone in clones:
                name, directory = clone.split("=", 1)
                ids = pathlib.Path(folder) / "ids"
                ids.write_text("".join(blob + "\n" for repo, blob in sorted(files) if repo == name))
                total = [a + b for a, b in zip(total, once(["git", "-C", directory, "cat-file", "--batch"], ids.open()))]
            rows.setdefault("git cat-file --batch", []).append(total)
            for label, command in (("read", commands("read", "warm")), ("build, nothing known", commands("build", f"cold{run}")),
                                   ("build, all known", commands("build", "warm")), ("verify", commands("verify", "warm"))):
                rows.setdefault(label, []).append(once(command))
        for label, values in rows.items():
            cpu, clock, memory = (statistics.median(v[i] for v in values) for i in range(3))
            print(f"{label:24} {cpu:.3f} s processor, {clock:.3f} s clock, RssAnon {max(v[2] for v in values) / 1024:.1f} MiB")


if __name__ == "__main__":
    main()
