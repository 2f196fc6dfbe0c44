"""--upgrade-nightly with an interpreter that only pretends: what pip is told, what it may see, when it is refused, and
what is written down."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

XPU_ALIGN = os.environ["XPU_ALIGN"]

# Lists the packages of a file; its pip notes how it was called and installs by writing that file.
INTERPRETER = r"""#!/bin/sh
here=@FOLDER@
case "$*" in
*importlib.metadata*) cat "$here/packages" ;;
*"-m pip"*) echo "$*" > "$here/pip.arguments"; env > "$here/pip.environment"
  [ -e "$here/broken" ] && { echo "no matching distribution"; exit 1; }
  printf 'numpy==2.4.0\ntorch==2.15.0.dev20261129+xpu\npyzes==0.2\n' > "$here/packages" ;;
*) exit 9 ;;
esac
"""


class UpgradeNightly(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.python = self.folder / "venv/bin/python"
        self.python.parent.mkdir(parents=True)
        self.python.write_text(INTERPRETER.replace("@FOLDER@", str(self.folder)))
        self.python.chmod(0o755)
        (self.folder / "packages").write_text("filelock==3.1\nnumpy==2.4.0\ntorch==2.15.0.dev20261120+xpu\n")
        self.run_directory = self.folder / "run"
        self.run_directory.mkdir()

    def preflight(self, *arguments, target="xpu", **environment):
        return subprocess.run([XPU_ALIGN, "preflight", self.run_directory, "--target", target, "--python", self.python,
                               "--upgrade-nightly", *arguments], capture_output=True, text=True, cwd=self.folder, check=False,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **environment})

    def environment(self):
        return json.loads((self.run_directory / "artifacts/environment.json").read_text())

    def test_one_index_and_wheels_only(self):
        self.preflight(HTTPS_PROXY="http://proxy.example", PIP_EXTRA_INDEX_URL="https://evil.example", PYTHONPATH="/evil")
        self.assertEqual((self.folder / "pip.arguments").read_text().split(),
                         "-I -m pip --isolated --disable-pip-version-check install --pre --upgrade --only-binary :all: --no-cache-dir "
                         "--index-url https://download.pytorch.org/whl/nightly/xpu torch".split())
        seen = dict(line.split("=", 1) for line in (self.folder / "pip.environment").read_text().splitlines())
        self.assertEqual(seen["HTTPS_PROXY"], "http://proxy.example")
        self.assertEqual(seen["PIP_CONFIG_FILE"], "/dev/null")
        self.assertNotIn("PIP_EXTRA_INDEX_URL", seen)
        self.assertNotIn("PYTHONPATH", seen)

    def test_what_changed_is_said_and_written_down(self):
        done = self.preflight()
        self.assertEqual(self.environment()["upgrade"]["changed"], [
            {"package": "filelock", "before": "3.1"}, {"package": "pyzes", "after": "0.2"},
            {"package": "torch", "before": "2.15.0.dev20261120+xpu", "after": "2.15.0.dev20261129+xpu"}])
        self.assertIn("torch: 2.15.0.dev20261120+xpu -> 2.15.0.dev20261129+xpu", done.stderr)
        self.assertIn("pyzes: none -> 0.2", done.stderr)

    def test_never_beside_a_token(self):
        for variable in ("GITHUB_TOKEN", "INPUT_GITHUB-TOKEN", "ACTIONS_RUNTIME_TOKEN"):
            with self.subTest(variable):
                done = self.preflight(**{variable: "secret"})
                self.assertEqual(done.returncode, 78)
                self.assertIn(variable, done.stderr)
                self.assertFalse((self.folder / "pip.arguments").exists())

    def test_a_target_without_an_index_says_so(self):
        done = self.preflight(target="npu")
        self.assertEqual(done.returncode, 78)
        self.assertIn("target npu has no nightly index", done.stderr)

    def test_pip_that_fails_ends_the_step(self):
        (self.folder / "broken").touch()
        done = self.preflight()
        self.assertEqual(done.returncode, 72)
        self.assertIn("pip could not upgrade: no matching distribution", done.stderr)


if __name__ == "__main__":
    unittest.main()
