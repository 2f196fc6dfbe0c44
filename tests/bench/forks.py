#!/usr/bin/env python3
"""Times a small script with torch as a fork of the server and as a fresh interpreter, in turn, each in the real sandbox
and timed from request to answer. Prints medians and their ratio; --check fails at a wide limit.
$SANDBOX_DRIVER is tests/sandbox_driver of a build, $TORCH_ROOT what scripts/torch-env prints."""
import argparse
import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from hostile.sandbox_world import Sandbox, identities  # noqa: E402

SCRIPT = """import torch
x = torch.randn(64, 64, requires_grad=True)
(x @ x).relu().sum().backward()
assert x.grad.shape == x.shape
"""
# The aim is one fifth on a quiet machine; this is for a test on a busy one.
MOST_RATIO = 0.5


def timed(sandbox, isolation):
    begin = time.monotonic()
    answer = sandbox.run(SCRIPT, isolation, timeout_millis=300_000)
    seconds = time.monotonic() - begin
    if (answer["kind"], answer["exit_status"], answer["isolation"]) != ("exited", 0, isolation):
        raise SystemExit(f"a {isolation} run: {answer}")
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=80)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    sandbox = Sandbox(identities()[0], memory_limit="address-space", python="/usr/bin/python3", root=os.environ["TORCH_ROOT"],
                      target="cpu")
    start = timed(sandbox, "fork-server")  # with the start of the server
    timed(sandbox, "process")              # the files are in memory afterwards
    seconds = {"process": [], "fork-server": []}
    for _ in range(arguments.runs):
        for isolation, measured in seconds.items():
            measured.append(timed(sandbox, isolation))
    sandbox.close()
    medians = {isolation: statistics.median(measured) for isolation, measured in seconds.items()}
    ratio = medians["fork-server"] / medians["process"]
    print("| runs | isolation | median | fastest | slowest | sum |\n| ---: | --- | ---: | ---: | ---: | ---: |")
    for isolation, measured in seconds.items():
        print(f"| {arguments.runs} | {isolation} | {medians[isolation]:.3f} s | {min(measured):.3f} s | {max(measured):.3f} s | "
              f"{sum(measured):.1f} s |")
    print(f"\nratio of medians: {ratio:.3f} (1/{1 / ratio:.1f}); with the start of the server ({start:.1f} s) the sums are "
          f"{(sum(seconds['fork-server']) + start) / sum(seconds['process']):.3f}")
    return 1 if arguments.check and ratio > MOST_RATIO else 0


if __name__ == "__main__":
    sys.exit(main())
