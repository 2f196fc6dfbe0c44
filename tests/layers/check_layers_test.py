#!/usr/bin/env python3
"""Each kind of breach that check_layers.py looks for is planted once and must be found."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import check_layers

HEADER = "// What it holds.\n// Who calls it.\n"
PLANTED = {
    "src/filter/a.cc": ('#include "edge/git/b.h"\n', "must not include"),
    "src/compose/b.cc": ("#include <rapidjson/reader.h>\n", "must not include <rapidjson"),
    "src/model/c.cc": ('auto* home = getenv("HOME");\n', "must not use 'getenv("),
    "src/pipeline/d.cc": ("auto now = std::chrono::system_clock::now();\n", "system_clock"),
    "src/judge/e.cc": ("x\n" * 401, "more than 400 lines"),
    "src/report/f.h": ("#pragma once\n", "a header opens with"),
    "src/report/report_utils.h": (HEADER, "no utils"),
    "src/shared/g.cc": ("", "not in the table"),
    "tests/contract/g_test.cc": ("", "in no build"),
    "tests/unit/filter/h.cc": ("", "is what the build finds"),
    "notes.txt": ("", "does not belong at the top"),
    "extra/i.py": ("", "folder does not belong"),
}


class CheckLayersTest(unittest.TestCase):
    def test_each_planted_breach_is_found(self):
        for name, (content, expected) in PLANTED.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
                breaches = check_layers.check(pathlib.Path(folder))
                self.assertEqual([expected in b for b in breaches], [True], breaches)

    def test_allowed_code_has_no_breach(self):
        allowed = {
            "src/filter/a.cc": '#include "model/candidate.h"\n// getenv("HOME") in a comment\n',
            "src/json/json.cc": "#include <rapidjson/reader.h>\n",
            "src/main.cc": 'auto* home = getenv("HOME");\n',
            "tests/unit/filter/a_test.cc": "",
        }
        with tempfile.TemporaryDirectory() as folder:
            for name, content in allowed.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
            self.assertEqual(check_layers.check(pathlib.Path(folder)), [])


if __name__ == "__main__":
    unittest.main()
