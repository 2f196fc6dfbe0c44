#include "compose/adaptation.h"

#include <algorithm>

#include "unit/compose/compose_fixtures.h"

namespace xpu_align {
namespace {

Adaptation AdaptText(const std::string& code, const std::string& target) {
  const PythonTree tree = PythonTree::Parse(code);
  EXPECT_TRUE(tree.WellFormed()) << code;
  return Adapt(tree, NamesOf(tree), ProfileNamed(target), EditList(tree));
}

struct AdaptationCase {
  const char* name;
  std::string code, after;
};

void ExpectAdapted(const char* target, const std::vector<AdaptationCase>& cases) {
  for (const AdaptationCase& one : cases) EXPECT_EQ(AdaptText(one.code, target).code, one.after) << one.name;
}

// Every case names a device, so that nothing is injected.
TEST(AdaptationTest, DeviceLiteralsInDevicePositions) {
  ExpectAdapted(
      "xpu",
      {{"keyword", "import torch\ntorch.ones(2, device='cuda')\n", "import torch\ntorch.ones(2, device='xpu')\n"},
       {"index zero", "import torch\ntorch.ones(2, device=\"cuda:0\")\n", "import torch\ntorch.ones(2, device=\"xpu:0\")\n"},
       {"to", "x.to('cuda', non_blocking=True)\n", "x.to('xpu', non_blocking=True)\n"},
       {"torch.device", "import torch\nd = torch.device('cuda', 0)\n", "import torch\nd = torch.device('xpu', 0)\n"},
       {"from import", "from torch import device\nd = device('cuda')\n", "from torch import device\nd = device('xpu')\n"},
       {"default device", "import torch\ntorch.set_default_device('cuda')\n", "import torch\ntorch.set_default_device('xpu')\n"},
       {"generator", "import torch\ng = torch.Generator('cuda')\n", "import torch\ng = torch.Generator('xpu')\n"},
       {"assignment by name", "device = 'cuda'\n", "device = 'xpu'\n"},
       {"assignment by flow", "where = 'cuda'\ny = x.to(where)\n", "where = 'xpu'\ny = x.to(where)\n"},
       {"flow through a function",
        "def make(n, where):\n    return torch.ones(n, device=where)\nmake(2, 'cuda')\nmake(n=2, where='cuda')\n",
        "def make(n, where):\n    return torch.ones(n, device=where)\nmake(2, 'xpu')\nmake(n=2, where='xpu')\n"},
       {"default of a parameter", "def f(x, device='cuda'):\n    return x.to(device)\n", "def f(x, device='xpu'):\n    return x.to(device)\n"},
       {"returned", "def pick():\n    return 'cuda'\ny = x.to(pick())\n", "def pick():\n    return 'xpu'\ny = x.to(pick())\n"},
       {"loop", "for d in ['cpu', 'cuda']:\n    y = x.to(d)\n", "for d in ['cpu', 'xpu']:\n    y = x.to(d)\n"},
       {"argparse", "p.add_argument('--device', default='cuda')\n", "p.add_argument('--device', default='xpu')\n"},
       {"f-string", "y = x.to(f'cuda:{i}')\n", "y = x.to(f'xpu:{i}')\n"},
       {"joined", "y = x.to('cuda:' + str(i))\n", "y = x.to('xpu:' + str(i))\n"},
       {"comparison", "ok = x.device.type == 'cuda'\n", "ok = x.device.type == 'xpu'\n"},
       {"value of a key", "config = {'device': 'cuda'}\n", "config = {'device': 'xpu'}\n"},
       {"tensors in a dictionary", "ops = {'self': torch.randn(2, device='cuda')}\n", "ops = {'self': torch.randn(2, device='xpu')}\n"},
       {"autocast", "import torch\nwith torch.autocast(device_type='cuda'):\n    pass\n", "import torch\nwith torch.autocast(device_type='xpu'):\n    pass\n"},
       {"integer", "y = torch.ones(2, device=0)\n", "y = torch.ones(2, device=\"xpu:0\")\n"}});
}

TEST(AdaptationTest, CallsAndApi) {
  ExpectAdapted(
      "xpu",
      {{"cuda()", "y = x.cuda()\n", "y = x.to(\"xpu\")\n"},
       {"cuda(0)", "y = x.cuda(0)\n", "y = x.to(\"xpu:0\")\n"},
       {"cuda(device)", "device = 'cuda'\ny = x.cuda(device)\n", "device = 'xpu'\ny = x.to(device)\n"},
       {"cuda(rank)", "y = x.cuda(rank)\n", "y = x.to(f\"xpu:{rank}\")\n"},
       {"non_blocking", "y = x.cuda(non_blocking=True)\n", "y = x.to(\"xpu\", non_blocking=True)\n"},
       {"chain", "y = make().cuda().half()\n", "y = make().to(\"xpu\").half()\n"},
       {"property", "device = 'cuda'\nassert x.is_cuda\n", "device = 'xpu'\nassert x.is_xpu\n"},
       {"rename", "import torch\nx.cuda()\ntorch.cuda.synchronize()\n", "import torch\nx.to(\"xpu\")\ntorch.xpu.synchronize()\n"},
       {"renamed class", "import torch\nx.cuda()\ng = torch.cuda.CUDAGraph()\n", "import torch\nx.to(\"xpu\")\ng = torch.xpu.XPUGraph()\n"},
       {"module alias", "import torch.cuda as tc\nx.cuda()\ntc.synchronize()\n", "import torch\nx.to(\"xpu\")\ntorch.xpu.synchronize()\n"},
       {"torch alias", "import torch as t\nx.cuda()\nt.cuda.synchronize()\n", "import torch as t\nx.to(\"xpu\")\ntorch.xpu.synchronize()\n"},
       {"from import", "from torch.cuda import synchronize, Event\nx.cuda()\nsynchronize()\ne = Event(enable_timing=True)\n",
        "import torch\nx.to(\"xpu\")\ntorch.xpu.synchronize()\ne = torch.xpu.Event(enable_timing=True)\n"},
       {"mixed import", "from torch import cuda, nn\nx.cuda()\ncuda.synchronize()\n", "from torch import nn\nx.to(\"xpu\")\ntorch.xpu.synchronize()\n"},
       {"autocast", "import torch\nx.cuda()\nwith torch.cuda.amp.autocast():\n    pass\n",
        "import torch\nx.to(\"xpu\")\nwith torch.amp.autocast(\"xpu\"):\n    pass\n"},
       {"scaler", "from torch.cuda.amp import GradScaler\nx.cuda()\ns = GradScaler(enabled=False)\n",
        "import torch\nx.to(\"xpu\")\ns = torch.amp.GradScaler(\"xpu\", enabled=False)\n"},
       {"custom_fwd", "import torch\nx.cuda()\n@torch.cuda.amp.custom_fwd\ndef f(c):\n    pass\n",
        "import torch\nx.to(\"xpu\")\n@torch.amp.custom_fwd(device_type=\"xpu\")\ndef f(c):\n    pass\n"},
       {"typed tensor", "import torch\nx.cuda()\ny = torch.cuda.FloatTensor(2, 3)\n",
        "import torch\nx.to(\"xpu\")\ny = torch.FloatTensor(2, 3).to(\"xpu\")\n"},
       {"guard", "import torch\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'\n",
        "import torch\ndevice = 'xpu' if torch.xpu.is_available() else 'cpu'\n"},
       {"range has a counterpart", "import torch\nx.cuda()\nwith torch.cuda.nvtx.range('a'):\n    pass\n",
        "import torch\nx.to(\"xpu\")\nwith torch.profiler.record_function('a'):\n    pass\n"},
       {"backend", "dist.init_process_group('nccl', device='cuda')\n", "dist.init_process_group('xccl', device='xpu')\n"},
       {"unused import", "import transformers\nx.cuda()\n", "pass\nx.to(\"xpu\")\n"},
       {"one unused of two", "import torch, transformers\nx.cuda()\n", "import torch\nx.to(\"xpu\")\n"},
       {"used import", "import transformers\nx.cuda()\ntransformers.go()\n", "import transformers\nx.to(\"xpu\")\ntransformers.go()\n"}});
}

// The eighteen ways in which text replacement goes wrong (reproducers.md, section 3). The first line makes
// the script one that names a device.
TEST(AdaptationTrapTest, OnlyDevicesChange) {
  const std::string head = "import torch\nx = torch.ones(2, device='cuda')\n";
  const std::string adapted = "import torch\nx = torch.ones(2, device='xpu')\n";
  const struct {
    const char* trap;
    const char* code;
    const char* after;  // null: unchanged
  } cases[] = {
      {"1 expected messages", "self.assertRaisesRegex(RuntimeError, 'CUDA error')\nm = 'Expected cuda tensor'\n", nullptr},
      {"2 test names", "def test_foo_cuda():\n    pass\nclass FooCUDA:\n    pass\nk = 'test_foo_cuda'\n", nullptr},
      {"3 torch.version.cuda", "if torch.version.cuda is None:\n    pass\n", nullptr},
      {"4 other names", "use_cuda = True\nno_cuda = not use_cuda\n", nullptr},
      {"5 torch.backends.cuda", "torch.backends.cuda.matmul.allow_tf32 = True\n", nullptr},
      {"6 cudagraphs", "f = torch.compile(g, backend='cudagraphs')\ntorch._inductor.config.triton.cudagraphs = True\n", nullptr},
      {"7 other packages", "import numba.cuda\nnumba.cuda.jit\nimport pycuda\npycuda.go()\n", nullptr},
      {"8 libraries of the same prefix", "torch.backends.cudnn.enabled = False\nlib = 'cublas'\n", nullptr},
      {"9 operator names", "torch.ops.aten._fft_cufft\n", nullptr},
      {"10 dispatch keys", "torch.library.impl(lib, 'op', 'CUDA')\nkey = 'CUDA'\n", "torch.library.impl(lib, 'op', 'XPU')\nkey = 'CUDA'\n"},
      {"10 autograd keys", "lib.impl('op', f, 'AutogradCUDA')\n", "lib.impl('op', f, 'AutogradXPU')\n"},
      {"11 capability", "ok = torch.cuda.get_device_capability() >= (8, 0)\n", "ok = (lambda *args: (9, 0))() >= (8, 0)\n"},
      {"12 comments and doc strings", "def f():\n    \"\"\"torch.ones(2, device='cuda')\"\"\"\n    # x.cuda()\n", nullptr},
      {"13 f-strings", "y = x.to(f'cuda:{rank}')\nprint(f'cuda:{rank}')\n", "y = x.to(f'xpu:{rank}')\nprint(f'cuda:{rank}')\n"},
      {"13 backend by device", "dist.init_process_group(backend='cpu:gloo,cuda:nccl')\n", "dist.init_process_group(backend='cpu:gloo,xpu:xccl')\n"},
      {"15 keys of the user", "times = {'cuda': 1}\nprint(times['cuda'])\nwith torch.autocast('cuda'):\n    pass\n",
       "times = {'cuda': 1}\nprint(times['cuda'])\nwith torch.autocast('xpu'):\n    pass\n"},
      {"16 attributes of the user", "if cfg.cuda:\n    pass\ncfg.cuda = False\n", nullptr},
      {"17 the reference side", "y = x.to('cpu')\nz = x.to('cuda')\n", "y = x.to('cpu')\nz = x.to('xpu')\n"},
      {"18 printed goldens", "assert repr(x) == \"tensor([1., 1.], device='cuda:0')\"\n", nullptr},
      {"environment, addresses, wheel tags",
       "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'\nu = 'https://example.org/whl/cu132'\nv = 'cuda'\nprint(v)\n", nullptr},
  };
  for (const auto& one : cases)
    EXPECT_EQ(AdaptText(head + one.code, "xpu").code, adapted + (one.after ? one.after : one.code)) << one.trap;
}

TEST(AdaptationTrapTest, TypographicQuotesAreRepairedBeforeTheyAreRead) {  // trap 14
  const auto composed = ComposerFor("xpu").Compose(Issue(Fence("import torch\nx = torch.ones(2, device=\u2018cuda\u2019)\nassert x.sum() == 3\n")));
  EXPECT_EQ(composed.record.repairs.at(0).rule, "typographic-quotes");
  EXPECT_TRUE(composed.script.contains("x = torch.ones(2, device='xpu')\n")) << composed.script;
}

TEST(AdaptationTest, ADeviceIsAddedWhereNoneIsNamed) {
  ExpectAdapted(
      "xpu",
      {{"factory", "import torch\nx = torch.randn(2, 3)\n", "import torch\nx = torch.randn(2, 3, device=\"xpu\")\n"},
       {"no argument", "import torch\ng = torch.Generator()\n", "import torch\ng = torch.Generator(device=\"xpu\")\n"},
       {"imported factory", "from torch import zeros\nx = zeros(2)\n", "from torch import zeros\nx = zeros(2, device=\"xpu\")\n"},
       {"has arguments already", "import torch\nx = torch.ones(*s, **kw)\ny = torch.ones(2)\n", "import torch\nx = torch.ones(*s, **kw)\ny = torch.ones(2, device=\"xpu\")\n"},
       {"numpy", "import torch\nx = torch.from_numpy(a)\n", "import torch\nx = torch.from_numpy(a).to(\"xpu\")\n"},
       {"legacy", "import torch\nx = torch.FloatTensor([1])\n", "import torch\nx = torch.FloatTensor([1]).to(\"xpu\")\n"},
       {"module", "import torch.nn as nn\nm = nn.Linear(2, 3)\n", "import torch.nn as nn\nm = nn.Linear(2, 3).to(\"xpu\")\n"},
       {"outermost module only", "from torch import nn\nm = nn.Sequential(nn.Linear(2, 3), nn.ReLU())\n",
        "from torch import nn\nm = nn.Sequential(nn.Linear(2, 3), nn.ReLU()).to(\"xpu\")\n"},
       {"module of the script",
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = torch.nn.Linear(2, 2)\n"
        "f = torch.compile(Net())\n",
        "import torch\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = torch.nn.Linear(2, 2)\n"
        "f = torch.compile(Net().to(\"xpu\"))\n"},
       {"said to be on the CPU", "import torch\nx = torch.ones(2, device='cpu')\ny = x.to('cpu')\n",
        "import torch\nx = torch.ones(2, device='xpu')\ny = x.to('cpu')\n"},
       {"environment report", "import torch\nprint(torch.cuda.is_available())\nx = torch.ones(2)\n",
        "import torch\nprint(torch.xpu.is_available())\nx = torch.ones(2, device=\"xpu\")\n"}});
}

TEST(AdaptationTest, TheDefaultDeviceIsTheLastResort) {
  const Adaptation adaptation = AdaptText("import torch\nx = make(torch)\n", "xpu");
  EXPECT_EQ(adaptation.device_positions, std::vector<std::string>{"default-device"});
  EXPECT_EQ(adaptation.prelude, std::vector<std::string>{"torch.set_default_device(\"xpu\")"});
  EXPECT_TRUE(adaptation.edits.empty());
}

TEST(AdaptationTest, TheCpuNeedsNothingAdded) {
  ExpectAdapted("cpu", {{"none", "import torch\nx = torch.ones(2)\n", "import torch\nx = torch.ones(2)\n"},
                        {"literal", "x = torch.ones(2, device='cuda:0')\n", "x = torch.ones(2, device='cpu')\n"},
                        {"call", "y = x.cuda(0)\n", "y = x.to(\"cpu\")\n"},
                        {"api", "import torch\ntorch.cuda.synchronize()\nx.cuda()\n", "import torch\ntorch.cpu.synchronize()\nx.to(\"cpu\")\n"},
                        {"other accelerators", "import torch\nx.to('xpu')\ntorch.xpu.synchronize()\n", "import torch\nx.to('cpu')\ntorch.cpu.synchronize()\n"}});
}

TEST(AdaptationTest, CudaScriptsStayAsTheyAreOnCuda) {
  const std::string code = "import torch\nfrom torch.cuda import Event\nx = torch.ones(2, device='cuda').cuda()\ntorch.cuda.nccl.version()\n";
  const Adaptation adaptation = AdaptText(code, "cuda");
  EXPECT_EQ(adaptation.code, code);
  EXPECT_EQ(adaptation.without_counterpart, "");
}

TEST(AdaptationTest, ASymbolWithoutCounterpartIsNamed) {
  for (const char* symbol : {"torch.cuda.nccl.version", "torch.cuda.jiterator", "torch.cuda.no_such_name", "torch._C._cuda_clearCublasWorkspaces",
                             "torch.backends.cuda.sdp_kernel"})
    EXPECT_EQ(AdaptText("import torch\nx.cuda()\n" + std::string(symbol) + "()\n", "xpu").without_counterpart, symbol);
  EXPECT_EQ(AdaptText("import torch\nx.cuda()\na = torch.cuda.amp.autocast\n", "xpu").without_counterpart,
            "torch.cuda.amp.autocast used without a call");
}

TEST(AdaptationTest, ASecondDeviceIsNamed) {
  EXPECT_EQ(AdaptText("x.to('cuda:1')\n", "xpu").second_device, "'cuda:1'");
  EXPECT_EQ(AdaptText("x.cuda(1)\n", "xpu").second_device, "x.cuda(1)");
  EXPECT_EQ(AdaptText("x.to('cuda:0')\nprint('cuda:1')\n", "xpu").second_device, "");
}

TEST(AdaptationTest, UnseededRandomnessIsSeeded) {
  const auto prelude = [](const char* code) { return AdaptText(code, "cpu").prelude; };
  EXPECT_EQ(prelude("import torch\ntorch.randn(2)\n"), std::vector<std::string>{"torch.manual_seed(0)"});
  EXPECT_TRUE(prelude("import torch\ntorch.manual_seed(3)\ntorch.randn(2)\n").empty());
  EXPECT_TRUE(prelude("import torch\ntorch.ones(2)\n").empty());
  EXPECT_EQ(prelude("import numpy as np\nnp.random.rand(2)\n"), std::vector<std::string>{"__import__(\"numpy\").random.seed(0)"});
}

TEST(AdaptationTest, EditsAreExactSpansWithRuleAndLine) {
  const std::string code = "import torch\n# caf\u00e9\nx = torch.ones(2, device=\"cuda\")\n";
  const Adaptation adaptation = AdaptText(code, "xpu");
  ASSERT_EQ(adaptation.edits.size(), 1u);
  const Edit& edit = adaptation.edits[0];
  EXPECT_EQ(edit.rule, "device-literal");
  EXPECT_EQ(edit.line, 3);
  EXPECT_EQ(code.substr(edit.begin, edit.end - edit.begin), "\"cuda\"");
  EXPECT_EQ(edit.before.ForMatching(), "\"cuda\"");
  EXPECT_EQ(edit.after, "\"xpu\"");
}

// The header of a script says where the lines of the upstream code are.
TEST(AdaptationTest, LinesStayLines) {
  ExpectAdapted("xpu", {{"import over lines", "from torchvision import (\n    models,\n    ops)\ny = x.to('cuda')\n",
                         "pass \\\n \\\n\ny = x.to('xpu')\n"},
                        {"continued line", "import pandas, \\\n  numpy as np\nnp.array(1)\ny = x.to('cuda')\n",
                         "import numpy as np \\\n\nnp.array(1)\ny = x.to('xpu')\n"},
                        {"one of two names", "from cupy import (a,\n  b)\ny = b.to('cuda')\n",
                         "from cupy import b \\\n\ny = b.to('xpu')\n"}});
}

}  // namespace
}  // namespace xpu_align
