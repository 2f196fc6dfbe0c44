"""Runs the shipped binary the way a user does: an empty environment but for what a test names."""
import json
import os
import pathlib
import subprocess

BINARY = os.environ["XPU_ALIGN"]
SOURCE_ROOT = pathlib.Path(os.environ["SOURCE_ROOT"])
WINDOW = ("--since", "2026-11-28")
RUN_NAME = "2026-11-28-to-2026-11-28"
# The clock of every run of a test: its windows are over then, whatever the machine's clock says.
NOW = {"SOURCE_DATE_EPOCH": "1796018400"}  # 2026-11-30T06:00:00Z


def run(*arguments, env=None, cwd=None, timeout=600):
    """Returns the finished process; stdout and stderr as text."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(cwd or "/nonexistent"), **NOW, **(env or {})}
    return subprocess.run([BINARY, *map(str, arguments)], env=environment, cwd=cwd, timeout=timeout,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")


def run_directory(workspace):
    return pathlib.Path(workspace, "agent_space_xpu", "runs", RUN_NAME)


def ledger(directory):
    """id -> row."""
    with open(pathlib.Path(directory, "artifacts", "candidate_ledger.jsonl"), encoding="utf-8") as lines:
        return {row["id"]: row for row in map(json.loads, lines)}


# Differ between equal runs by design: durations, facts of the host, raw output, and the hashes of these.
VARIABLE_FILES = ("timing.json", "environment.json", "collect_env.txt", "manifest.json", "output_*.log")


def tree(directory, leave_out=()):
    """Relative path -> bytes of every file below `directory`, but for names that match a pattern of `leave_out`."""
    root = pathlib.Path(directory)
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*"))
            if path.is_file() and not any(path.match(pattern) for pattern in leave_out)}
