"""python3 -m fake_github: see the docstring of the package."""
import argparse
import signal
import sys

from .server import run_until_parent_ends


def stop(*_):
    raise KeyboardInterrupt


parser = argparse.ArgumentParser(prog="fake_github")
parser.add_argument("--world", required=True)
parser.add_argument("--port-file", required=True)
parser.add_argument("--log")
parser.add_argument("--life", type=float, default=600)
options = parser.parse_args()
signal.signal(signal.SIGTERM, stop)
sys.exit(run_until_parent_ends(options.world, options.port_file, options.log, options.life))
