#!/usr/bin/env python3
"""Checks that the source tree keeps its shape.

The allowed directions between the folders of src, calls that have one home, file sizes, and tests that
no build would run. Prints one line for each breach; exit status 1 when there is any.
Usage: check_layers.py [TREE]
"""
import pathlib
import re
import sys

BASE = {"text", "json", "digest", "model"}
PURE = BASE
ALLOWED = {
    "text": set(),
    "digest": set(),
    "json": {"text"},
    "model": {"text", "json", "digest"},
    "rules": set(),
    "ports": BASE,
    "filter": PURE,
    "compose": PURE,
    "judge": PURE,
    "report": PURE,
    "audit": {"model", "json", "text", "digest"},
    "distill": BASE | {"ports"},
    "pipeline": BASE | {"ports", "filter", "compose", "judge", "report", "audit"},
    "edge/http": BASE | {"ports"},
    "edge/git": BASE | {"ports", "edge/http"},
    "edge/github": BASE | {"ports", "edge/http"},
    "edge/sandbox": BASE | {"ports"},
    "edge/runner": BASE | {"ports"},
    "edge/store": BASE | {"ports"},
    "edge/history": BASE | {"ports"},
    "edge/recording": BASE | {"ports", "edge/store"},
    "app": BASE | {"ports", "pipeline", "distill", "rules", "filter", "compose", "judge", "report", "audit",
                   "edge/http", "edge/git", "edge/github", "edge/sandbox", "edge/runner", "edge/store",
                   "edge/history", "edge/recording"},
    "": {"app"},  # src/main.cc
}
# Third-party headers and the folders that may see them.
LIBRARIES = {
    r"rapidjson/": {"json"},
    r"re2/": {"text"},
    r"openssl/": {"digest"},
    r"curl/": {"edge/http"},
    r"git2": {"edge/git"},
    r"cmark-gfm": {"compose", "audit"},
    r"tree_sitter/": {"compose", "distill"},
    r"sqlite3": {"edge/history"},
    r"seccomp": {"edge/sandbox"},
    r"CLI/": {"app"},
}
# Calls that would go around a seam, and the only files that may make them.
CALLS = {
    r"\b(?:std::)?getenv\s*\(": {"src/main.cc"},
    r"\bsystem_clock\b": {"src/app/system_clock.cc"},
    r"\bstd::cout\b": {"src/app/console.cc"},
    r"\b(?:v?fork|clone3?)\s*\(\s*\)?": {"src/edge/sandbox/process.cc"},
    r"\bpopen\s*\(|\bsystem\s*\(": set(),
    r"\bstd::regex\b": set(),
    r"\bsleep_for\b": {"src/app/system_clock.cc"},
}
MAX_LINES = 400
TOP_LEVEL = {"CMakeLists.txt", "action.yml", "src", "tests", "workflows", "scripts", "README.md", "docs", "LICENSE"}
STAND_IN = ("tests", "support", "torch_stand_in")  # its names are torch's
VAGUE = re.compile(r"(^|[_/])(utils?|helpers?|managers?|common|misc)([_./]|$)")


def folder_of(path):
    parts = path.relative_to("src").parts[:-1]
    return "/".join(parts[:2] if parts[:1] == ("edge",) else parts[:1])


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"", lambda m: "" if m[0][0] == "/" else '""', text, flags=re.S)


def check_source(tree, path, report):
    text = (tree / path).read_text()
    folder = folder_of(path)
    if folder not in ALLOWED:
        report(path, f"folder '{folder}' is not in the table of tests/layers/check_layers.py")
        return
    for include in re.findall(r'^#include "([^"]+)"', text, re.M):
        parts = include.split("/")
        target = "/".join(parts[:2] if parts[0] == "edge" else parts[:1]) if len(parts) > 1 else ""
        if target != folder and target not in ALLOWED[folder]:
            report(path, f'must not include "{include}": {folder or "main"} may use {sorted(ALLOWED[folder])}')
    for include in re.findall(r"^#include <([^>]+)>", text, re.M):
        for library, homes in LIBRARIES.items():
            if re.match(library, include) and folder not in homes:
                report(path, f"must not include <{include}>: only {sorted(homes)} may")
    code = without_comments(text)
    for pattern, homes in CALLS.items():
        found = re.search(pattern, code)
        if found and str(path) not in homes:
            report(path, f"must not use '{found[0].strip()}': {sorted(homes) or 'nothing'} may")
    if path.suffix == ".h":
        head = text.split("\n")
        if not head[0].startswith("// ") or not head[1].startswith("//"):
            report(path, "a header opens with two to five lines that say what it holds, refuses, and who calls it")


def check(tree):
    breaches = []

    def report(path, message):
        breaches.append(f"{path}: {message}")

    for path in sorted(tree.rglob("*")):
        relative = path.relative_to(tree)
        if relative.parts[0] in {".git", "build", "node_modules"} or "node_modules" in relative.parts or not path.is_file():
            continue
        if len(relative.parts) == 1 and relative.name not in TOP_LEVEL and not relative.name.startswith("."):
            report(relative, f"does not belong at the top; there: {sorted(TOP_LEVEL)}")
        elif relative.parts[0] not in TOP_LEVEL and not relative.parts[0].startswith("."):
            report(relative, f"folder does not belong at the top; there: {sorted(TOP_LEVEL)}")
        if VAGUE.search(str(relative)) and relative.parts[:len(STAND_IN)] != STAND_IN:
            report(relative, "a name says what a thing is: no utils, helper, manager, common, misc")
        code = relative.suffix in {".cc", ".h", ".py", ".sh", ".cmake", ".cpp"}
        if code and len(path.read_text(errors="replace").splitlines()) > MAX_LINES:
            report(relative, f"has more than {MAX_LINES} lines; it holds two things")
        if relative.parts[0] == "src" and relative.suffix in {".cc", ".h"}:
            check_source(tree, relative, report)
        if relative.name.endswith("_test.cc") and relative.parts[:2] != ("tests", "unit"):
            report(relative, "a test outside tests/unit is in no build")
        if relative.parts[:2] == ("tests", "unit") and relative.suffix == ".cc":
            inner = relative.parts[2:-1]
            if not relative.name.endswith("_test.cc") or "/".join(inner) not in ALLOWED:
                report(relative, "tests/unit/<folder of src>/<name>_test.cc is what the build finds")
    return breaches


def main():
    tree = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    breaches = check(tree)
    for breach in breaches:
        print(breach)
    print(f"{len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
