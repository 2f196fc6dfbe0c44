#!/usr/bin/env python3
"""Measures `filter` on many candidates: title rules, details, chains, ledger. The candidates are those of the corpus,
over and over with other numbers. Prints a table; --check fails when growth is not linear or a wide limit is passed."""
import argparse
import json
import os
import pathlib
import re
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "score"))
import corpus  # noqa: E402

SIZES = (2500, 5000, 10000)
# Machines differ and are busy; what must not happen is another order of growth.
MOST_SECONDS = 120  # of processor time, for the largest
MOST_GROWTH = 3.0   # from one size to the next, which is twice as large


def numbered(texts, round_number):
    """The corpus with other numbers and commit names, its inner links kept; scripts differ from round to round."""
    out = []
    for text in texts:
        text = re.sub(r"\b(8[01]\d{4})\b", lambda m: str(int(m[1]) + 1_000_000 * (round_number + 1)), text)
        text = re.sub(r"(commit-|\{sha:)([a-z][\w-]*)", rf"\g<1>\g<2>-{round_number}", text)
        text = text.replace("import torch\n", f"import torch\nROUND = {round_number}\n")
        out.append(corpus.Item(text))
    return out


def corpus_texts():
    texts = [path.read_text(encoding="utf-8") for path in sorted((corpus.ROOT / "details").glob("*.md"))]
    for path in sorted((corpus.ROOT / "chains").glob("*.md")):
        texts += path.read_text(encoding="utf-8").split("##### item\n")[1:]
    return texts


def candidates(count):
    texts, out, round_number = corpus_texts(), [], 0
    while len(out) < count:
        out += numbered(texts, round_number)
        round_number += 1
    return out[:count]


def measure(binary, count):
    """(processor seconds, wall seconds, largest resident megabytes, chains)"""
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "2026-11-28-to-2026-11-28"
        items = candidates(count)
        corpus.write_run(run, [item.raw() for item in items], [item.details() for item in items])
        begin = time.monotonic()
        child = os.posix_spawn(binary, [binary, "filter", str(run)], {"PATH": "/usr/bin:/bin", "HOME": folder},
                               file_actions=[(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
        _, status, usage = os.wait4(child, 0)
        wall = time.monotonic() - begin
        if status:
            raise SystemExit(f"filter of {count} candidates ended with {os.waitstatus_to_exitcode(status)}")
        rows = corpus.ledger(run)
        if len(rows) != count:
            raise SystemExit(f"{len(rows)} rows of {count} candidates")
        chains = {row["chain"]["key"] for row in rows.values() if row.get("chain")}
        return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss // 1024, len(chains)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=os.environ.get("XPU_ALIGN"))
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    print("| candidates | processor time | wall time | memory | chains |\n| ---: | ---: | ---: | ---: | ---: |")
    seconds = []
    for size in SIZES:
        cpu, wall, memory, chains = measure(arguments.binary, size)
        seconds.append(cpu)
        print(f"| {size} | {cpu:.2f} s | {wall:.2f} s | {memory} MB | {chains} |", flush=True)
    wrong = []
    if seconds[-1] > MOST_SECONDS:
        wrong.append(f"{SIZES[-1]} candidates take {seconds[-1]:.1f} s of processor time")
    wrong += [f"twice as many candidates take {after / before:.1f} times as long"
              for before, after in zip(seconds, seconds[1:]) if after > before * MOST_GROWTH]
    if arguments.check:
        for text in wrong:
            print("wrong: " + text, file=sys.stderr)
        return 1 if wrong else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
