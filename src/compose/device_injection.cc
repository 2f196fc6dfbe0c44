#include "compose/device_injection.h"

#include <algorithm>
#include <set>

namespace xpu_align {
namespace {

// Functions of torch that make a tensor and take `device`.
constexpr std::string_view kFactories[] = {
    "tensor", "as_tensor", "asarray", "scalar_tensor", "rand", "randn", "randint", "randperm", "zeros", "ones", "empty",
    "full", "arange", "range", "linspace", "logspace", "eye", "empty_strided", "empty_permuted", "sparse_coo_tensor",
    "sparse_csr_tensor", "sparse_csc_tensor", "sparse_bsr_tensor", "sparse_bsc_tensor", "sparse_compressed_tensor",
    "tril_indices", "triu_indices", "hann_window", "hamming_window", "bartlett_window", "blackman_window",
    "kaiser_window", "nested.nested_tensor", "Generator", "fft.fftfreq", "fft.rfftfreq"};
// Makers of CPU tensors that take no `device`; their result is moved.
constexpr std::string_view kCpuOnly[] = {
    "from_numpy", "frombuffer", "Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "BFloat16Tensor", "IntTensor",
    "LongTensor", "ShortTensor", "CharTensor", "ByteTensor", "BoolTensor", "complex", "polar", "normal", "load"};
// complex, polar and normal follow their tensor arguments, which are injected themselves.
constexpr std::string_view kFollowers[] = {"complex", "polar", "normal", "load"};

template <typename Table>
bool Contains(const Table& table, std::string_view name) {
  return std::ranges::find(table, name) != std::end(table);
}

bool HasArgument(PyNode call, std::string_view keyword) {
  return std::ranges::any_of(call.Field("arguments").Children(), [keyword](PyNode argument) {
    return argument.Is("dictionary_splat") ||
           (argument.Is("keyword_argument") && argument.Field("name").Text() == keyword);
  });
}

// Followed by .to(...), .cuda() and the like: the script decides itself where it goes.
bool IsMoved(PyNode call) {
  const PyNode parent = call.Parent();
  if (!parent.Is("attribute") || !parent.Parent().Is("call")) return false;
  const std::string_view method = parent.Field("attribute").Text();
  return method == "cuda" || method == "cpu" || method == "numpy" || method == "item";
}

class Injector {
 public:
  Injector(const PythonTree& tree, const Names& names, const std::string& device, EditList* edits)
      : names_(names), device_(device), edits_(edits) {
    for (const PyNode& node : tree.Nodes())
      if (node.Is("class_definition") && IsModuleClass(node)) module_classes_.emplace(node.Field("name").Text());
  }

  Injected Visit(PyNode call) {
    const std::string callee = CalleeOf(names_, call);
    if (callee.empty() || IsMoved(call)) return Injected::kNothing;
    const std::string name = callee.starts_with("torch.") ? callee.substr(6) : std::string();
    if (Contains(kFactories, name)) return AddArgument(call);
    if (Contains(kCpuOnly, name) && !Contains(kFollowers, name)) return AddMove(call);
    if (IsModule(callee) && !call.Enclosing("class_definition") && !InsideModuleConstruction(call)) return AddMove(call);
    return Injected::kNothing;
  }

 private:
  bool IsModule(const std::string& callee) const {
    if (module_classes_.contains(callee)) return true;
    if (!callee.starts_with("torch.nn.") && !callee.starts_with("torch.ao.nn.")) return false;
    const std::string last = callee.substr(callee.rfind('.') + 1);
    return last[0] >= 'A' && last[0] <= 'Z' && !last.starts_with("Parameter") && !last.starts_with("Buffer") &&
           !callee.contains(".attention.") && !callee.contains(".utils.") && !callee.contains(".parallel.") &&
           !last.starts_with("Uninitialized");
  }

  bool IsModuleClass(PyNode definition) const {
    return std::ranges::any_of(definition.Field("superclasses").Children(), [this](PyNode base) {
      return IsModule(Resolved(names_, DottedName(base)));
    });
  }

  bool InsideModuleConstruction(PyNode call) const {
    for (PyNode up = call.Parent(); up; up = up.Parent()) {
      if (up.Is("function_definition") || up.Is("lambda")) return false;
      if (up.Is("call") && IsModule(CalleeOf(names_, up))) return true;
    }
    return false;
  }

  Injected AddArgument(PyNode call) {
    if (HasArgument(call, "device") || !call.Field("arguments").Is("argument_list")) return Injected::kNothing;
    const PyNode arguments = call.Field("arguments");
    const std::vector<PyNode> given = arguments.Children();
    const std::string text = "device=\"" + device_ + "\"";
    const size_t place = given.empty() ? arguments.Begin() + 1 : given.back().End();
    edits_->Replace("device-argument", place, place, given.empty() ? text : ", " + text);
    return Injected::kSomething;
  }

  Injected AddMove(PyNode call) {
    edits_->Replace("device-move", call.End(), call.End(), ".to(\"" + device_ + "\")");
    return Injected::kSomething;
  }

  const Names& names_;
  const std::string& device_;
  EditList* edits_;
  std::set<std::string> module_classes_;
};

}  // namespace

Injected InjectDevice(const PythonTree& tree, const Names& names, const std::string& device, EditList* edits) {
  Injector injector(tree, names, device, edits);
  Injected result = Injected::kNothing;
  for (const PyNode& node : tree.Nodes())
    if (node.Is("call") && injector.Visit(node) == Injected::kSomething) result = Injected::kSomething;
  return result;
}

}  // namespace xpu_align
