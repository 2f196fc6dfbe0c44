"""Checks an output folder of `distill` with git and Python alone; shares no code with the program.

Usage: outside_check.py OUT ID=CLONE...   Every citation is resolved with `git cat-file`; literal checks, registrations and
reads of the environment are counted in the text by other means (a masking scan for C++, `ast` for Python) and looked for
among the facts. Prints figures; exit status 1 when a citation does not resolve or a recall is under 99 %.
"""
import ast
import hashlib
import json
import pathlib
import re
import subprocess
import sys

TOKEN = re.compile(r'//(?:\\\n|[^\n])*|/\*.*?\*/|R"([^\s()\\]{0,16})\((?:.*?)\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
CHECK = re.compile(r"\b(?:TORCH_CHECK\w*|TORCH_INTERNAL_ASSERT\w*|AT_ASSERT\w*|STD_TORCH_CHECK\w*)\s*\(")
REGISTRATION = re.compile(r"\b(?:STABLE_)?TORCH_LIBRARY\w*\s*\(|\b(?:[A-Z0-9]+_)?REGISTER_[A-Z0-9_]+\s*\(|\b(?:DEFINE|DECLARE)_DISPATCH\s*\(")
READER = re.compile(r"\b(?:getenv|secure_getenv|get_env|has_env|check_env|getCvarBool|getCvarInt|getCvarString)\s*\(")


def masked(text):
    """Comments and directives blanked; strings keep their quotes, their content becomes `s`. Offsets stay."""
    def blank(match):
        piece = match[0]
        if piece[0] == "/":
            return re.sub(r"[^\n]", " ", piece)
        return re.sub(r"[^\n]", "s", piece) if len(piece) < 2 else '"' + re.sub(r"[^\n]", "s", piece[1:-1]) + '"'
    text = TOKEN.sub(blank, text)
    return re.sub(r"(?m)^[ \t]*#(?:[^\n\\]|\\\n|\\[^\n])*", lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def arguments(code, opening):
    depth = 0
    for i in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[i], 0)
        if depth == 0:
            return code[opening + 1:i]
    return ""


def expected_cpp(text):
    code = masked(text)
    line = lambda offset: code.count("\n", 0, offset) + 1
    out = {"check": set(), "reg": set(), "env": set()}
    for match in CHECK.finditer(code):
        if '"' in arguments(code, match.end() - 1):
            out["check"].add(line(match.start()))
    for match in REGISTRATION.finditer(code):
        out["reg"].add(line(match.start()))
    for match in READER.finditer(code):
        if re.match(r'\s*[{]?\s*"', arguments(code, match.end() - 1)):
            out["env"].add(line(match.start()))
    return out


def literal(node):
    return any(isinstance(n, ast.Constant) and isinstance(n.value, str) and n.value for n in ast.walk(node))


def expected_python(text):
    out = {"check": set(), "reg": set(), "env": set()}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args and isinstance(
                node.exc.args[0], (ast.Constant, ast.JoinedStr)) and literal(node.exc.args[0]):
            out["check"].add(node.lineno)
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            if ast.unparse(node.func) in ("os.getenv", "os.environ.get", "environ.get"):
                out["env"].add(node.lineno)
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ" and isinstance(node.slice, ast.Constant):
            out["env"].add(node.lineno)
    return out


class Clone:
    def __init__(self, directory, pin):
        self.pin = pin
        self.directory = directory
        self.process = subprocess.Popen(["git", "-C", directory, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.known = {}

    def read(self, name):
        if name not in self.known:
            self.process.stdin.write(name.encode() + b"\n")
            self.process.stdin.flush()
            head = self.process.stdout.readline().split()
            if head[-1] == b"missing":
                return None, None
            content = self.process.stdout.read(int(head[2]))
            self.process.stdout.read(1)
            self.known[name] = (head[0].decode(), content)
        return self.known[name]


def quote_hash(content, first, last):
    content = content.removeprefix(b"\xef\xbb\xbf")
    lines = [line.removesuffix(b"\r") for line in content.split(b"\n")]
    if content.endswith(b"\n"):
        lines.pop()
    assert 1 <= first <= last <= len(lines), (first, last, len(lines))
    return "sha256:" + hashlib.sha256(b"\n".join(lines[first - 1:last])).hexdigest()


def main():
    out = pathlib.Path(sys.argv[1])
    readset = json.loads((out / "readset.json").read_text())
    pins = {repo["id"]: repo["pin"] for repo in readset["repos"]}
    clones = {name: Clone(directory, pins[name]) for name, directory in (a.split("=", 1) for a in sys.argv[2:])}
    citations = wrong = facts = 0
    found = {}
    for card in sorted(out.glob("skills/*/card.json")):
        for fact in json.loads(card.read_text())["facts"]:
            facts += 1
            kind = {"env-set": "env", "dispatch": "reg"}.get(fact["kind"], fact["kind"])
            for cite in fact["cite"]:
                citations += 1
                blob, content = clones[cite["repo"]].read(f"{pins[cite['repo']]}:{cite['path']}")
                if blob != cite["blob"] or quote_hash(content, *cite["lines"]) != cite["quote"]:
                    wrong += 1
                    print("does not resolve:", card, fact["id"])
                found.setdefault((cite["repo"], cite["path"], kind), set()).add(cite["lines"][0])
    totals = {kind: [0, 0] for kind in ("check", "reg", "env")}
    files = {(f["repo"], f["path"]): f for area in readset["areas"] for f in area["files"]}
    for (repo, path), file in files.items():
        text = clones[repo].read(f"{pins[repo]}:{path}")[1].decode("utf-8-sig", "replace")
        if path.endswith(".py"):
            try:
                expected = expected_python(text)
            except SyntaxError:  # of a newer Python than the one that runs this
                print("not counted:", path)
                continue
        elif path.rsplit(".", 1)[-1] in ("h", "hpp", "cpp", "cc"):
            expected = expected_cpp(text)
        else:
            continue
        window = file["window"] or [1, 10 ** 9]
        for kind, lines in expected.items():
            for line in sorted(lines):
                if not window[0] <= line <= window[1]:
                    continue
                totals[kind][1] += 1
                if line in found.get((repo, path, kind), ()):
                    totals[kind][0] += 1
                else:
                    print(f"missed {kind}: {repo}:{path}:{line}")
    print(f"{citations} citations of {facts} facts, {wrong} do not resolve")
    bad = wrong > 0
    for kind, (hit, expected) in totals.items():
        print(f"recall of {kind}: {hit} of {expected}" + (f", {100 * hit / expected:.2f} %" if expected else ""))
        bad = bad or hit < 0.99 * expected
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
