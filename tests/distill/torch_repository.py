"""Commits the headers and Python files of an installed torch into a local repository, laid out as its source tree.

Usage: torch_repository.py ROOT DIR, ROOT a root directory with torch (scripts/torch-env prints one). Prints the commit.
A stand-in for a clone where none can be had: same files, other pin. Lines of headers are off by the distribution's own
first line.
"""
import pathlib
import shutil
import subprocess
import sys

HEADERS = {"ATen": "aten/src/ATen", "c10": "c10", "torch/csrc": "torch/csrc"}


def git(directory, *arguments):
    environment = {"PATH": "/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(directory)}
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "t", f"GIT_{role}_EMAIL": "t@t", f"GIT_{role}_DATE": "2026-01-01T00:00:00Z"}
    return subprocess.run(["git", "-C", str(directory), *arguments], check=True, capture_output=True, text=True,
                          env=environment).stdout.strip()


def commit_torch(root, directory):
    root, directory = pathlib.Path(root), pathlib.Path(directory)
    directory.mkdir(parents=True)
    for source, target in HEADERS.items():
        shutil.copytree(root / "usr/include" / source, directory / target, dirs_exist_ok=True,
                        ignore=lambda folder, names: [n for n in names if "." in n and not n.endswith((".h", ".hpp"))])
    package = root / "usr/lib/python3/dist-packages/torch"
    for path in sorted(package.rglob("*.py")):
        target = directory / "torch" / path.relative_to(package)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_symlink():
            shutil.copyfile(path, target)
    (directory / "LICENSE").write_text("Redistribution and use in source and binary forms, with or without modification; "
                                       "names may not be used to endorse or promote products.\n")
    git(directory, "init", "-q", "-b", "main")
    git(directory, "add", "-A")
    git(directory, "commit", "-qm", "torch")
    return git(directory, "rev-parse", "HEAD")


if __name__ == "__main__":
    print(commit_torch(sys.argv[1], sys.argv[2]))
