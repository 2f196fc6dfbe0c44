"""A dozen candidates of all kinds whose scripts need only the stand-in for torch: fast, for crash tests."""


def _script(*lines):
    return "```python\nimport torch\n" + "\n".join(lines) + "\n```\n"


def _traceback(error):
    return f"```\nTraceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n{error}\n```\n"


def small_world():
    day = "2026-11-28T{:02d}:00:00Z"
    issues = [
        {"number": 101, "title": "torch.add fails on odd shapes",
         "body": _script('x = torch.zeros(3, device="cuda")', 'raise RuntimeError("size 3 is odd")') +
                 _traceback("RuntimeError: size 3 is odd")},
        {"number": 102, "title": "Wrong result of torch.mul",
         "body": "The assertion fails.\n" + _script('x = torch.zeros(2, device="cuda")', "assert x.sum() == 1")},
        {"number": 103, "title": "torch.sub raises for empty input",
         "body": _script('x = torch.zeros(0, device="cuda")', "x - x") + _traceback("RuntimeError: empty input")},
        {"number": 104, "title": "torch.div hits an internal error",
         "body": _script('x = torch.zeros(4, device="cuda")', 'raise ValueError("something else")') +
                 _traceback("RuntimeError: internal error in div")},
        {"number": 105, "title": "DISABLED test_add_cuda (__main__.TestAdd)", "body": "Flaky."},
        {"number": 106, "title": "torch.mm is slower than before",
         "body": _script("import time", 'x = torch.zeros(2, device="cuda")', "t = time.time()", "x + x",
                         "print(time.time() - t)")},
        {"number": 107, "title": "Please add a new optimizer", "body": "It would be good to have."},
        {"number": 108, "title": "torch.cat dies", "body": _script('x = torch.zeros(1, device="cuda")',
                                                                  "import os", "os.kill(os.getpid(), 11)") +
                                                           "It ends with a segmentation fault (SIGSEGV)."},
        {"number": 109, "title": "torch.stack reads freed memory", "gone": 404, "body": ""},
    ]
    pulls = [
        {"number": 110, "title": "[docs] Explain torch.add", "head": "commit:p1", "base": "commit:c0", "body": "Text only."},
        {"number": 111, "title": "Fix torch.add on odd shapes", "head": "commit:p2", "base": "commit:c0",
         "body": "Fixes #101", "closes": [101]},
    ]
    for number, item in enumerate(issues + pulls):
        item.update(created_at=day.format(number % 24), author="ada")
    history = [
        {"name": "c0", "at": "2026-11-27T10:00:00Z", "message": "Start", "files": {"torch/__init__.py": "x = 1\n"},
         "refs": ["refs/heads/main"]},
        {"name": "p1", "at": "2026-11-28T01:00:00Z", "message": "Explain", "files": {"docs/a.md": "text\n"},
         "refs": ["refs/pull/110/head"]},
        {"name": "p2", "at": "2026-11-28T02:00:00Z", "message": "Fix", "parent": "c0",
         "files": {"torch/__init__.py": "x = 2\n"}, "refs": ["refs/pull/111/head"]},
        {"name": "c1", "at": "2026-11-28T03:00:00Z", "parent": "c0", "refs": ["refs/heads/main"],
         "message": "Fix torch.add on odd shapes (#111)\n\nFixes #101\n\nPull Request resolved: "
                    "https://github.com/pytorch/pytorch/pull/111\n", "files": {"torch/__init__.py": "x = 2\n"}},
        {"name": "c2", "at": "2026-11-28T04:00:00Z", "message": "Fix typo in a comment (#112)", "refs": ["refs/heads/main"],
         "files": {"torch/__init__.py": "x = 2  # two\n"}},
    ]
    return {"repository": "pytorch/pytorch", "issues": issues, "pulls": pulls, "git": {"pytorch/pytorch": history}}
