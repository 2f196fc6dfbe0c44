"""Tries what a sandbox must make impossible; prints one line of JSON: attempt -> what went wrong.

An empty object means that the sandbox holds. OUTSIDE_PID is a process outside of it.
"""
import json
import os
import socket

breaches = {}


def must_fail(name, attempt):
    try:
        attempt()
    except (OSError, socket.gaierror):
        return
    breaches[name] = "was possible"


def connect(address):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as end:
        end.settimeout(2)
        end.connect(address)


def send_datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.sendto(b"x", ("192.0.2.1", 53))


def connect_unix(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.connect(path)


def write(path):
    with open(path, "w"):
        pass
    os.unlink(path)


outside = int(os.environ["OUTSIDE_PID"])
must_fail("network: connect", lambda: connect(("192.0.2.1", 80)))
must_fail("network: datagram", send_datagram)
must_fail("network: docker socket", lambda: connect_unix("/var/run/docker.sock"))
for folder in ("/", "/usr", "/etc", "/dev", "/harness", "/var/tmp", "/sys"):
    must_fail(f"write {folder}", lambda: write(os.path.join(folder, ".xpu-align-self-test")))
must_fail("read /proc/1/environ", lambda: open("/proc/1/environ", "rb").read())
must_fail("list /proc/1/fd", lambda: os.listdir("/proc/1/fd"))
visible = {int(name) for name in os.listdir("/proc") if name.isdigit()}
if len(visible) > 2:
    breaches["processes"] = f"{len(visible)} are visible"
if outside not in visible:
    must_fail("signal a foreign process", lambda: os.kill(outside, 0))
must_fail("namespaces of the supervisor", lambda: os.readlink("/proc/1/ns/user"))
print(json.dumps(breaches))
