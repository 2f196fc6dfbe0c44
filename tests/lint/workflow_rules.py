"""What every workflow of this repository keeps to, besides being valid: actions pinned by commit, no permission by
default, no trigger that gives a stranger's event our token, no expression inside a script."""
import re

PINNED = re.compile(r"^(\./[\w./-]*|\./|[\w.-]+/[\w./-]+@[0-9a-f]{40}\s+# v\d+(\.\d+)*)$")
PRIVILEGED = re.compile(r"^\s*(?:on:\s*.*\b|-\s*)?(pull_request_target|workflow_run|issue_comment)\b")


def script_lines(lines):
    """(number, text) of every line of a `run:` script."""
    indent = None
    for number, line in enumerate(lines, 1):
        depth = len(line) - len(line.lstrip())
        if indent is not None and line.strip() and depth <= indent:
            indent = None
        if indent is not None:
            yield number, line
        found = re.match(r"^(\s*(?:- )?)run:(.*)$", line)
        if found:
            indent = len(found[1])
            yield number, found[2]


def breaches(text):
    """One sentence for each rule that the workflow `text` breaks, with the line."""
    found = []
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        uses = re.match(r"^\s*(?:- )?uses:\s*(.*)$", line)
        if uses and not PINNED.match(uses[1].strip()):
            found.append(f"line {number}: pin the action by commit, with its version behind it: {uses[1].strip()}")
        privileged = PRIVILEGED.match(line)
        if privileged:
            found.append(f"line {number}: the trigger {privileged[1]} gives a stranger's event our token")
        if uses and uses[1].startswith("actions/checkout@"):
            step = "\n".join(lines[number:number + 4])
            if not re.match(r"\s*with:\n(.*\n)*?\s*persist-credentials: false\b", step):
                found.append(f"line {number}: a checkout keeps the token on disk; set persist-credentials: false")
    if "permissions: {}" not in lines:
        found.append("at the top: permissions: {} is missing")
    for number, line in script_lines(lines):
        if "${{" in line:
            found.append(f"line {number}: an expression in a script is code injection; pass it through env")
    return found
