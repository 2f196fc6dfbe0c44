"""What the harness says about where a script ran: on the second device, which falls back to the CPU for some operators,
and for compiled scripts, which no dispatch mode may watch."""
import json
import os
import subprocess
import unittest

ROOT = os.environ["TORCH_ROOT"]


def run(target, *requests):
    lines = "".join(json.dumps({"op": "run", "timeout_millis": 420_000, **request}) + "\n" for request in requests)
    done = subprocess.run([os.environ["SANDBOX_DRIVER"], target, "/usr/bin/python3", ROOT, "address-space"], input=lines,
                          capture_output=True, text=True, timeout=900, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class DeviceProof(unittest.TestCase):
    def reports(self, target, *requests):
        answers = run(target, *requests)
        for answer in answers:
            self.assertEqual((answer["kind"], answer["exit_status"]), ("exited", 0), answer["output"])
            self.assertNotIn("harness_errors", answer["report"])
        return [answer["report"] for answer in answers]

    def test_the_dispatcher_tells_what_a_silent_script_hides(self):
        head = "import torch, warnings\nwarnings.filterwarnings('ignore')\nx = torch.eye(2, device='testdev')\n"
        native, direct, through_out = self.reports(
            "testdev",
            {"role": "proof", "script": head + "((x + x) @ x).sum().item()"},
            {"role": "proof", "script": head + "torch.linalg.qr(x)"},
            {"role": "proof", "script": head + "torch.linalg.cholesky(x)"})
        self.assertEqual(native["fallbacks"], {})
        self.assertNotIn("fallback_operators", native)
        self.assertGreater(native["operators_by_device"]["testdev"], 2)
        # Both have a kernel of torch's own for every device, which calls the variant that falls back.
        self.assertEqual(direct["fallbacks"], {"aten::linalg_qr": "registration"})
        self.assertEqual(through_out["fallbacks"], {"aten::linalg_cholesky_ex": "registration"})
        self.assertEqual(through_out["fallback_operators"], ["aten::linalg_cholesky_ex"])

    def test_one_synchronisation_brings_late_errors(self):
        fails = "import torch\ndef fail(device=None):\n    raise RuntimeError('late')\ntorch.testdev.synchronize = fail\n"
        late, unused = self.reports(
            "testdev",
            {"script": fails + "x = torch.ones(2, device='testdev')\n"},
            {"script": fails + "torch.testdev.is_initialized = lambda: False\n"})
        self.assertEqual(late["exit_sync_error"], "RuntimeError: late")
        self.assertNotIn("exit_sync_error", unused)

    def test_generated_code_names_device_and_operators_left_to_the_dispatcher(self):
        compiled, plain = self.reports(
            "cpu",
            {"script": "import torch\n@torch.compile\ndef f(a):\n    return torch.relu(a @ a) + torch.linalg.eigvalsh(a)\n"
                       "f(torch.ones(4, 4))\n"},
            {"script": "import torch\ntorch.ones(4, 4) @ torch.ones(4, 4)\n"})
        code = compiled["generated_code"]
        self.assertEqual((code["graphs"], code["graphs_on_device"]), (1, 1))
        self.assertEqual(code["operators"], ["aten::_linalg_eigh", "aten::mm.out"])
        self.assertEqual(compiled["compiled_graphs"], 1)
        self.assertNotIn("generated_code", plain)


if __name__ == "__main__":
    unittest.main()
