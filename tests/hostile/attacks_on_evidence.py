"""Attacks on what a row says: forged results and evidence, and output that speaks to a terminal or to the runner.

The interpreter that reports also runs the script, so a report can be forged; an outcome can not. `visible`: the row
shows that something is wrong. bubblewrap has no evidence channel.
"""
from hostile.attack import NO_LIMITS, NOT_COVERED, STOPPED, THROUGH, VISIBLE, Attack

CHANNEL = """
import json
config = json.loads(sys.orig_argv[-1]) if sys.orig_argv[-1].startswith("{") else None
def frame(sequence, kind, body, nonce):
    data = json.dumps({"nonce": nonce, "sequence": sequence, "kind": kind, "body": body}).encode()
    os.write(3, struct.pack(">I", len(data)) + data)
def own_nonce():
    import gc
    for thing in gc.get_objects():
        if type(thing).__name__ == "Channel" and hasattr(thing, "nonce"):
            return thing.nonce
"""


def report_is_incomplete(answer):
    return VISIBLE if not answer["report"]["complete"] and answer["kind"] == "exited" else THROUGH


def printed_result_decides_nothing(answer):
    """Kept as what the script printed, beside the outcome that the supervisor saw."""
    real = (answer["kind"], answer["signal"]) == ("signalled", "SIGSEGV") and not answer["report"]["complete"]
    return VISIBLE if real else THROUGH


def forged_report_stands(answer):
    forged = answer["report"]["complete"] and answer["report"].get("exception", {}).get("message") == "forged"
    outcome_is_real = (answer["kind"], answer["exit_status"]) == ("exited", 7)
    return THROUGH if not outcome_is_real else NOT_COVERED if forged else VISIBLE


def nothing_to_write_on(answer):
    real = (answer["kind"], answer["exit_status"]) == ("exited", 7)
    return STOPPED if real and "THROUGH" not in answer["output"] else THROUGH


def harmless_in_a_log(answer):
    shown = answer["log_lines"]
    bad = any(ord(c) < 32 or c in "\x7f\x9b\u202e\u200b" for line in shown for c in line)
    commands = any("##[" in line or line.lstrip().startswith("::") for line in shown)
    return THROUGH if bad or commands or not shown else VISIBLE


def forged(name, script, check=report_is_incomplete, full=VISIBLE, **more):
    return Attack(name, CHANNEL + script, check=check, full=full, bubblewrap=NO_LIMITS, **more)


ATTACKS = [
    forged("forge: print RESULT, then crash", """
print("RESULT: not-reproduced", flush=True)
os.kill(os.getpid(), signal.SIGSEGV)
""", printed_result_decides_nothing),
    forged("forge: a frame with another nonce", 'frame(1, "report", {}, "x" * 32)'),
    forged("forge: bytes that are no frame", 'os.write(3, struct.pack(">I", 1 << 30) + b"not json")'),
    forged("forge: leave before the report", "os._exit(0)"),
    forged("forge: a second report", """
nonce = own_nonce()
frame(1, "report", {"forged": True}, nonce)
"""),
    forged("forge: a whole report with the right nonce", """
frame(1, "report", {"exception": {"type": "RuntimeError", "message": "forged", "frames": [], "causes": []}}, own_nonce())
os._exit(7)
""", forged_report_stands, NOT_COVERED, note="its own row's report only; exit status, signal, times and output are not its to write"),
    forged("forge: answer in the server's place", """
for number in range(4, 1024):
    for data in (b'{"pid": 1}', b'{"kind": "exited", "exit_status": 0}'):
        try:
            os.write(number, data)
            print("THROUGH", number)
        except OSError:
            pass
print("tried")
os._exit(7)
""", nothing_to_write_on, STOPPED),
    forged("terminal escapes", """
print("\\x1b]0;title\\x07\\x1b[2J\\x1b[31mred\\x9b2J \\u202ereversed\\rover\\x08\\x7f")
""", harmless_in_a_log, note="kept as data; every exit of upstream text escapes it"),
    forged("workflow commands", """
for line in ("::add-mask::x", "::set-output name=a::b", "::stop-commands::x", "##[error]x", "a ##[add-mask]x", " ::error::x",
             "\\r::error::x", "a\\u2028::error::x"):
    print(line)
""", harmless_in_a_log, note="kept as data; no line of a log is one"),
]
