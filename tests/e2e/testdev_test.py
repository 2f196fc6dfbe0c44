"""The second device does what its profile and the demo rely on. Each check is a small program that runs in
the torch root ($TORCH_ROOT) in its own process; it says what it saw by its output and its exit status."""

import json
import os
import re
import shutil
import signal
import subprocess
import textwrap
import unittest

ROOT = os.environ["TORCH_ROOT"]
PROFILE = json.load(open(os.path.join(os.environ["SOURCE_ROOT"], "src/rules/targets/testdev.json"), encoding="utf-8"))

# Reports the real exit status: bwrap turns a signal into 128+n.
LAUNCH = "import subprocess, sys; print('STATUS', subprocess.run([sys.executable, '-c', sys.argv[1]]).returncode)"


# Where bubblewrap is missing: the same by unshare, in whose mount namespace the mounts stay.
MOUNT = ('mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/tmp" && '
         'exec chroot "$0" "$@"')


ENVIRONMENT = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "OMP_NUM_THREADS": "1", "HOME": "/tmp"}


def enter_root():
    if shutil.which("bwrap"):
        return ["bwrap", "--ro-bind", ROOT, "/", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--unshare-all",
                "--die-with-parent"]
    return ["unshare", "-Urmnpf", "--kill-child", "sh", "-c", MOUNT, ROOT]


def run(code, **environment):
    """(exit status, negative for a signal; stdout; stderr) of `code` after the profile's startup lines."""
    program = PROFILE["startup"] + "\nimport torch\n" + textwrap.dedent(code)
    done = subprocess.run(enter_root() + ["python3", "-c", LAUNCH, program], capture_output=True, text=True,
                          timeout=300, check=False, env={**ENVIRONMENT, **environment})
    head, _, status = done.stdout.rpartition("STATUS ")
    if not status.strip():
        raise AssertionError(f"the torch root could not be entered: {done.stderr}")
    return int(status), head, done.stderr


class TestdevTest(unittest.TestCase):
    def passes(self, code, **environment):
        status, out, err = run(code, **environment)
        self.assertEqual(status, 0, out + err)
        return out, err

    def raises(self, code, error, **environment):
        status, out, err = run(code, **environment)
        self.assertEqual(status, 1, out + err)
        self.assertIn(error, err.rstrip().splitlines()[-1])
        return err

    def test_the_proof_counter_tells_of_the_first_operator_at_once(self):
        with open(os.path.join(os.environ["SOURCE_ROOT"], "src/harness/prove.py"), encoding="utf-8") as file:
            prove = file.read()
        self.passes(f"""
            space, told = {{}}, []
            exec({prove!r}, space)
            with space["make_counter"]("testdev", told.append) as counter:
                torch.ones(2)
                assert told == []
                x = torch.ones(2, device="testdev")
                assert told == [{{"cpu": 1, "testdev": 1}}], told
                x + x
                assert len(told) == 1
            assert counter.operators_by_device["testdev"] == 2, counter.operators_by_device
            """)

    def test_the_module_has_what_the_profile_renames_to(self):
        names = sorted(set(PROFILE["api_renames"].values()))
        self.passes(f"for name in {names!r}: assert callable(eval(name)), name\nassert {PROFILE['availability']}\n"
                    "assert torch.testdev.device_count() == 1 and torch.testdev.current_device() == 0")

    def test_tensors_live_on_the_device_and_come_back(self):
        self.passes("""
            x = torch.arange(6, dtype=torch.float32, device="testdev").view(2, 3)
            assert str(x.device) == "testdev:0" and x.is_testdev and not x.is_cpu
            assert (x.t() * 2).cpu().tolist() == [[0, 6], [2, 8], [4, 10]]
            assert (torch.ones(2, 2).testdev() @ torch.ones(2, 2, device="testdev")).tolist() == [[2, 2], [2, 2]]
            assert x[1, 2].item() == 5 and x.sum().item() == 15 and x.relu().add_(1).sum().item() == 21
            y = torch.empty(0, device="testdev").resize_(4).fill_(3)
            assert y.tolist() == [3, 3, 3, 3]
        """)

    def test_the_allocator_counts_real_bytes(self):
        self.passes("""
            before = torch.testdev.memory_allocated()
            x = torch.empty(1000, 1000, device="testdev")
            assert torch.testdev.memory_allocated() - before == 4_000_000
            del x
            assert torch.testdev.memory_allocated() == before
            assert torch.testdev.max_memory_allocated() >= before + 4_000_000
            torch.testdev.reset_peak_memory_stats()
            assert torch.testdev.max_memory_allocated() == before
        """)

    def test_mixing_devices_is_an_error(self):
        self.raises("torch.ones(2, device='testdev') + torch.ones(2)",
                    "RuntimeError: Expected all tensors to be on the same device")

    def test_the_dispatcher_names_the_file_that_an_operator_comes_from(self):
        out, _ = self.passes("""
            for name in "add.Tensor", "mm", "cumsum", "erfinv.out", "linalg_cholesky_ex.L":
                table = torch._C._dispatch_dump_table("aten::" + name).splitlines()
                print(name, *[line for line in table if line.startswith("PrivateUse1:")])
        """)
        files = dict(re.findall(r"^(\S+) PrivateUse1: registered at ([\w.]+):", out, re.M))
        self.assertEqual(files, {"add.Tensor": "kernels.cc", "mm": "kernels.cc", "cumsum": "faults.cc",
                                 "erfinv.out": "fallback.cc", "linalg_cholesky_ex.L": "fallback.cc"})
        self.assertIn("fallback.cc", PROFILE["fallback_registrations"])

    def test_a_missing_operator_is_an_error_when_the_switch_is_off(self):
        for environment in ({}, {"TESTDEV_FALLBACK": "0"}):
            err = self.raises("torch.kthvalue(torch.ones(3, device='testdev'), 1)",
                              "NotImplementedError: The operator 'aten::kthvalue.values' is not currently implemented "
                              "for the testdev device.", **environment)
            self.assertNotIn("falling back", err)

    def test_a_missing_operator_runs_on_the_cpu_with_one_warning_when_the_switch_is_on(self):
        out, err = self.passes("""
            for _ in range(2): value = torch.kthvalue(torch.tensor([3., 1., 2.], device="testdev"), 2).values
            print(value.item(), value.device)
        """, TESTDEV_FALLBACK="1")
        self.assertEqual(out, "2.0 testdev:0\n")
        self.assertEqual(re.findall(PROFILE["fallback_texts"][0], err), ["aten::kthvalue.values"])

    def test_linear_algebra_falls_back_whatever_the_switch_says(self):
        out, err = self.passes("print(torch.linalg.cholesky(torch.eye(2, device='testdev')).device)")
        self.assertEqual(out, "testdev:0\n")
        operators = re.findall(PROFILE["fallback_texts"][0], err)
        self.assertEqual(operators, ["aten::linalg_cholesky_ex.L"])
        self.assertIn(operators[0].split(".")[0], PROFILE["host_operators"])

    def test_training_gives_the_same_numbers_as_the_cpu(self):
        self.passes("""
            def train(device):
                torch.manual_seed(3)
                nn = torch.nn
                model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 2)).to(device)
                step = torch.optim.Adam(model.parameters(), lr=0.1)
                for _ in range(3):
                    out = model(torch.ones(2, 1, 4, 4).to(device))
                    loss = nn.functional.cross_entropy(out, torch.tensor([0, 1]).to(device))
                    step.zero_grad(); loss.backward(); step.step()
                assert model[3].weight.grad.device.type == device
                return loss.detach().cpu()
            torch.testing.assert_close(train("testdev"), train("cpu"))
        """)

    def test_compile_with_aot_eager_traces_and_differentiates(self):
        self.passes("""
            graphs = []
            def backend(graph, inputs):
                graphs.append(graph)
                return torch._dynamo.lookup_backend("aot_eager")(graph, inputs)
            f = torch.compile(lambda a, b: (a @ b).relu().sum(), backend=backend, fullgraph=True)
            a = torch.full((3, 4), 2., device="testdev", requires_grad=True)
            f(a, torch.ones(4, 2, device="testdev")).backward()
            assert len(graphs) == 1 and a.grad.device.type == "testdev" and a.grad.cpu().eq(2).all()
        """)

    def test_inductor_fails_with_the_text_that_the_profile_knows(self):
        status, _, err = run("torch.compile(lambda x: x + 1)(torch.ones(3, device='testdev'))")
        self.assertEqual(status, 1, err)
        pattern, = [e["pattern"] for e in PROFILE["adaptation_errors"] if e["id"] == "no-inductor"]
        self.assertRegex(err, "InductorError: .*" + pattern)

    def test_autocast_is_accepted(self):
        self.passes("""
            with torch.autocast("testdev", dtype=torch.bfloat16):
                torch.randn(2, 2, device="testdev") @ torch.randn(2, 2, device="testdev")
        """)

    # The deliberate faults of faults.cc, and the CPU's behaviour beside them.
    def test_fault_cumsum_forgets_the_carry(self):
        self.passes("""
            assert torch.cumsum(torch.ones(256, device="testdev"), 0)[-1].item() == 256
            assert torch.cumsum(torch.ones(300, device="testdev"), 0)[-1].item() == 44
            assert torch.cumsum(torch.ones(300), 0)[-1].item() == 300
        """)

    def test_fault_index_select_crashes_on_a_bad_index(self):
        code = "torch.index_select(torch.ones(3, 4, device={0!r}), 0, torch.tensor([1 << 40], device={0!r}))"
        self.raises(code.format("cpu"), "index out of range")
        self.assertEqual(run(code.format("testdev"))[0], -signal.SIGSEGV)
        self.passes("""
            rows = torch.index_select(torch.arange(3, device="testdev"), 0, torch.tensor([2, 0], device="testdev"))
            assert rows.tolist() == [2, 0]
        """)

    def test_fault_dot_accepts_different_lengths(self):
        code = "assert torch.dot(torch.ones(3, device={0!r}), torch.ones(2, device={0!r})).item() == 2"
        self.raises(code.format("cpu"), "RuntimeError: inconsistent tensor size")
        self.passes(code.format("testdev"))

    def test_fault_gcd_never_ends_for_zero(self):
        self.passes("assert torch.gcd(torch.tensor([0]), torch.tensor([6])).item() == 6")
        self.passes("assert torch.gcd(*torch.tensor([[4, 9, -8], [6, 0, 12]], device='testdev')).tolist() == [2, 9, 4]")
        status, out, err = run("""
            import signal
            pair = torch.tensor([0, 6], device="testdev")
            signal.setitimer(signal.ITIMER_VIRTUAL, 2)  # of its own processor time
            torch.gcd(*pair)
        """)
        self.assertEqual(status, -signal.SIGVTALRM, out + err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
