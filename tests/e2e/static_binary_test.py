"""The binary is one static file: it collects, filters and composes in a root that holds only itself, a
resolv.conf, a CA file and an empty workspace."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import fake_github
from support.binary import BINARY, NOW, RUN_NAME, WINDOW, ledger
from support.small_world import small_world


class StaticBinaryTest(unittest.TestCase):
    def test_is_static(self):
        kind = subprocess.run(["file", "--brief", BINARY], capture_output=True, text=True, check=True).stdout
        self.assertIn("statically linked", kind)
        loader = subprocess.run(["ldd", BINARY], capture_output=True, text=True, check=False)
        self.assertIn("not a dynamic executable", loader.stdout + loader.stderr)

    def test_works_in_an_empty_root(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder, "root")
            for name in ("etc/ssl/certs", "work", "cache"):
                (root / name).mkdir(parents=True)
            shutil.copy(BINARY, root / "xpu-align")
            (root / "etc/resolv.conf").write_text("nameserver 127.0.0.1\n")
            (root / "etc/ssl/certs/ca-certificates.crt").touch()
            with fake_github.Server(small_world(), pathlib.Path(folder)) as server:
                def inside(*arguments):
                    done = subprocess.run(
                        ["unshare", "-Ur", "chroot", str(root), "/xpu-align", *arguments, "--target", "cpu", "--workspace", "/work",
                         "--cache-dir", "/cache"], capture_output=True, text=True, check=False,
                        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "GITHUB_API_URL": server.base, "GITHUB_TOKEN": "t", **NOW})
                    self.assertEqual(done.returncode, 0, done.stderr)
                inside("collect", *WINDOW, "--clone-url", f"{server.base}/pytorch/pytorch.git")
                inside("filter", *WINDOW)
                inside("compose", *WINDOW)
            run_directory = root / "work/agent_space_xpu/runs" / RUN_NAME
            rows = ledger(run_directory)
            self.assertGreaterEqual(len(rows), 12)
            self.assertTrue((run_directory / "scripts/repro_issue-101.py").exists())
            written = {path.relative_to(root).parts[0] for path in root.rglob("*") if path.is_file()}
            self.assertEqual(written, {"xpu-align", "etc", "work", "cache"})


if __name__ == "__main__":
    unittest.main()
