#include "compose/test_slice.h"

#include <algorithm>
#include <set>

#include "compose/markdown_blocks.h"
#include "compose/names.h"
#include "compose/script_choice.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

// Decorators that only decide where a test runs.
const Pattern& Gate() {
  static const Pattern pattern = Pattern::Constant(
      R"(^(?:\w+\.)*(?:only(?:CUDA|XPU|CPU|On|Accelerator|NativeDeviceTypes)\w*|skip\w*|requires_\w+|dtypes\w*|parametrize|subtest|largeTensorTest|tf32_\w+|bf32_\w+|reduced_f32_\w+|precisionOverride|toleranceOverride|serialTest|slowTest|fresh_\w*cache|wrapDeterministicFlagAPITest)$)");
  return pattern;
}
// Methods of a plain TestCase; the ones of torch's own class need its test library.
const Pattern& PlainMethod() {
  static const Pattern pattern = Pattern::Constant(
      R"(^(?:assert(?:(?:Not)?(?:Equal|AlmostEqual|In|IsInstance|Regex)|True|False|Is|IsNot|IsNone|IsNotNone|Raises|RaisesRegex|Warns|WarnsRegex|Logs|NoLogs|Greater|GreaterEqual|Less|LessEqual|CountEqual|(?:Sequence|List|Tuple|Dict|Set|MultiLine)Equal)|fail|skipTest|subTest|id|addCleanup|enterContext|device_type|device)$)");
  return pattern;
}

bool IsDeviceConstant(std::string_view name) {
  return name == "GPU_TYPE" || name == "device_type" || name == "DEVICE_TYPE" || name == "TEST_DEVICE";
}
bool IsDeviceFlag(std::string_view name) {
  static const Pattern pattern = Pattern::Constant(R"(^(?:HAS_GPU|HAS_CUDA|TEST_CUDA|TEST_GPU|HAS_CUDA_AND_TRITON|HAS_GPU_AND_TRITON|TEST_ACCELERATOR)$)");
  return pattern.FoundIn(name);
}

PyNode Expression(PyNode decorator) {
  const std::vector<PyNode> children = decorator.Children();
  return children.empty() ? PyNode() : children.front();
}
std::string DecoratorName(PyNode decorator) {
  const PyNode expression = Expression(decorator);
  return DottedName(expression.Is("call") ? expression.Field("function") : expression);
}

// The outermost function definition and its decorators.
struct TestNodes {
  PyNode function;
  std::vector<PyNode> gates, kept;
};
TestNodes NodesOfTest(const PythonTree& tree) {
  TestNodes nodes;
  for (const PyNode& node : tree.Nodes()) {
    if (node.Is("function_definition") && !nodes.function) nodes.function = node;
    if (!node.Is("decorator") || nodes.function) continue;
    (Gate().FoundIn(DecoratorName(node)) ? nodes.gates : nodes.kept).push_back(node);
  }
  return nodes;
}

// The value for a parameter: from @dtypes and @parametrize, the first of their lists.
std::string FirstValue(const TestNodes& nodes, const std::string& parameter) {
  for (const PyNode& gate : nodes.gates) {
    const std::string name = DecoratorName(gate);
    const std::vector<PyNode> arguments = Expression(gate).Field("arguments").Children();
    if (parameter == "dtype" && name.ends_with("dtypes") && !arguments.empty() && arguments[0].Is("attribute"))
      return std::string(arguments[0].Text());
    std::string storage;
    if (!name.ends_with("parametrize") || arguments.size() < 2) continue;
    const std::string* names = StringValue(arguments[0], &storage);
    if (!names || *names != parameter) continue;
    const std::vector<PyNode> values = arguments[1].Children();
    if ((arguments[1].Is("list") || arguments[1].Is("tuple")) && !values.empty()) return std::string(values[0].Text());
  }
  return {};
}

std::vector<PyNode> BareParameters(const TestNodes& nodes) {
  std::vector<PyNode> out;
  for (const PyNode& parameter : nodes.function.Field("parameters").Children())
    if (parameter.Is("identifier") || parameter.Is("typed_parameter")) out.push_back(parameter);
  return out;
}

std::string ParameterName(PyNode parameter) {
  return std::string((parameter.Is("typed_parameter") ? parameter.Children().front() : parameter).Text());
}

bool IsSelfAttribute(PyNode node) {
  return node.Is("attribute") && node.Field("object").Text() == "self" && !node.Enclosing("class_definition");
}

std::string DeviceLiteralOf(const TargetProfile& target) { return "\"" + target.device + "\""; }

// Fills `imports` and `missing`.
void Complete(const PatchTests& file, const TargetProfile& target, TestSlice* slice) {
  const PythonTree tree = PythonTree::Parse(slice->test.code);
  const TestNodes nodes = NodesOfTest(tree);
  const auto in_gate = [&nodes](PyNode node) {
    return std::ranges::any_of(nodes.gates, [&node](PyNode gate) { return gate.Begin() <= node.Begin() && node.End() <= gate.End(); });
  };
  const auto miss = [slice](const std::string& name) {
    if (slice->missing.empty()) slice->missing = name;
  };
  for (const PyNode& parameter : BareParameters(nodes)) {
    const std::string name = ParameterName(parameter);
    if (name != "self" && name != "device" && FirstValue(nodes, name).empty()) miss("the parameter " + name);
  }
  std::set<std::string> needed;
  const Names names = NamesOf(tree);
  for (const PyNode& node : tree.Nodes()) {
    if (in_gate(node)) continue;
    if (node.Is("identifier") && IsNameUse(node) && names.free.contains(std::string(node.Text())))
      needed.emplace(node.Text());
    if (IsSelfAttribute(node) && !PlainMethod().FoundIn(node.Field("attribute").Text())) miss(std::string(node.Text()));
    if (node.Is("call") && node.Field("function").Text() == "super" && !node.Enclosing("class_definition")) miss("super()");
  }
  for (const PyNode& parameter : BareParameters(nodes))
    if (FirstValue(nodes, ParameterName(parameter)).starts_with("torch.")) needed.emplace("torch");
  for (const std::string& name : needed) {
    if (IsDeviceConstant(name))
      slice->imports.push_back(name + " = " + DeviceLiteralOf(target));
    else if (IsDeviceFlag(name))
      slice->imports.push_back(name + " = True");
    else if (const auto shown = file.imports.find(name); shown != file.imports.end())
      slice->imports.push_back(shown->second);
    else if (const char* line = UnambiguousImport(name))
      slice->imports.emplace_back(line);
    else
      miss(name);
  }
}

}  // namespace

std::optional<TestSlice> SliceTest(const Details& details, const TargetProfile& target) {
  std::optional<TestSlice> first;
  for (const ChangedFile& file : details.files) {
    const std::string_view path = file.path.ForMatching();
    if (!path.starts_with("test/") || !path.ends_with(".py")) continue;
    const std::string patch = WithUnixLines(file.patch.ForMatching());
    const PatchTests found = TestsOfPatch(patch);
    for (const PatchTest& test : found.tests) {
      TestSlice slice{.test = test};
      slice.span = SpanOf("patch:" + std::string(path), patch, test.first_line, test.last_line);
      Complete(found, target, &slice);
      if (slice.missing.empty()) return slice;
      if (!first) first = std::move(slice);
    }
  }
  return first;
}

void EditTest(const PythonTree& tree, const TargetProfile& target, EditList* edits, std::vector<std::string>* notes) {
  const TestNodes nodes = NodesOfTest(tree);
  for (const PyNode& gate : nodes.gates) {
    // Lines stay: the frames of a failure count them.
    edits->Replace("test-gate", gate, std::string(static_cast<size_t>(gate.LastLine() - gate.Line()), '\n'));
  }
  for (const PyNode& parameter : BareParameters(nodes)) {
    const std::string name = ParameterName(parameter);
    if (name == "self") continue;
    const std::string value = name == "device" ? DeviceLiteralOf(target) : FirstValue(nodes, name);
    if (value.empty()) continue;
    edits->Replace("test-parameter", parameter.End(), parameter.End(), (parameter.Is("identifier") ? "=" : " = ") + value);
    if (name != "device") notes->push_back("the test is parametrized: " + name + " is " + UntrustedText(value).ForLogLine(60));
  }
  for (const PyNode& node : tree.Nodes()) {
    const std::string_view name = node.Field("attribute").Text();
    if (IsSelfAttribute(node) && (name == "device_type" || name == "device"))
      edits->Replace("test-device", node, DeviceLiteralOf(target));
  }
}

std::vector<std::string> TestRunner(const PatchTest& test) {
  if (test.style == TestStyle::kFunction) return {test.name + "()"};
  return {"import unittest as _xa_unittest",
          "class _XaTest(_xa_unittest.TestCase):",
          "    def assertEqual(self, x, y, msg=None, *, atol=None, rtol=None, exact_dtype=True, exact_device=False, **other):",
          "        def has_tensor(value):",
          "            return isinstance(value, torch.Tensor) or (",
          "                isinstance(value, (list, tuple)) and any(map(has_tensor, value)))",
          "        if has_tensor(x) or has_tensor(y) or isinstance(x, float) or atol is not None:",
          "            torch.testing.assert_close(x, y, atol=atol, rtol=rtol, equal_nan=True,",
          "                                       check_dtype=exact_dtype, check_device=exact_device)",
          "        else:",
          "            super().assertEqual(x, y, msg)",
          "_XaTest." + test.name + " = " + test.name,
          "_XaTest(\"" + test.name + "\").debug()  # runs set-up, test and clean-up; a failure ends the script"};
}

}  // namespace xpu_align
