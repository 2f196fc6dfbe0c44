#include "compose/adaptation.h"

#include <algorithm>

#include "compose/api_map.h"
#include "compose/device_flow.h"
#include "compose/device_injection.h"
#include "compose/seeding.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

class Adapter {
 public:
  Adapter(const PythonTree& tree, const Names& names, const TargetProfile& target, EditList first)
      : tree_(tree), target_(target), names_(names), edits_(std::move(first)), flow_(tree, names) {
    // A test that takes its device from outside has it.
    for (const Edit& edit : edits_.Sorted())
      if ((edit.rule == "test-parameter" || edit.rule == "test-device") && edit.after.contains("\"" + target.device + "\"")) {
        names_accelerator_ = true;
        AddPosition("literal");
      }
  }

  Adaptation Run() &&;

 private:
  void Literals();
  void IndexDevices();
  void AcceleratorCalls();
  void AcceleratorProperties();
  void DispatchKeys(PyNode string);
  void Collectives(PyNode string);
  void UnusedImports();
  void AddMissingDevice();
  void AddPosition(const std::string& position) {
    if (std::ranges::find(out_.device_positions, position) == out_.device_positions.end())
      out_.device_positions.push_back(position);
  }
  // "xpu:0" with an index; the CPU has none.
  std::string DeviceText(const std::string& index) const {
    return target_.device + (index.empty() || target_.is_reference ? "" : ":" + index);
  }
  void SecondDevice(PyNode node) {
    if (out_.second_device.empty()) out_.second_device = node.Text();
  }

  const PythonTree& tree_;
  const TargetProfile& target_;
  const Names& names_;
  EditList edits_;
  const DeviceFlow flow_;
  bool names_accelerator_ = false;
  Adaptation out_;
};

std::string Requoted(PyNode string, const std::string& content) {
  const std::vector<PyNode> parts = string.Children();
  return std::string(parts.front().Text()) + content + std::string(parts.back().Text());
}

std::string MethodOf(PyNode call) {
  const PyNode function = call.Field("function");
  return std::string(function.Is("attribute") ? function.Field("attribute").Text() : function.Text());
}

void Adapter::Literals() {
  for (const DeviceLiteral& literal : flow_.Literals()) {
    if (literal.type == "cpu") continue;
    names_accelerator_ = true;
    AddPosition("literal");
    if (literal.index != "{" && literal.index.find_first_not_of('0') != std::string::npos) SecondDevice(literal.node);
    if (literal.type == target_.device) continue;
    if (literal.index == "{") {  // only the type: f"cuda:{i}"
      const PyNode content = literal.node.Children()[1];
      edits_.Replace("device-literal", content.Begin(), content.Begin() + literal.type.size(), target_.device);
    } else {
      edits_.Replace("device-literal", literal.node, Requoted(literal.node, DeviceText(literal.index)));
    }
  }
}

// torch.device(0), x.to(0), device=0: the first accelerator.
void Adapter::IndexDevices() {
  for (const PyNode& node : tree_.Nodes()) {
    if (!node.Is("integer")) continue;
    const PyNode parent = node.Parent();
    if (!(parent.Is("keyword_argument") || parent.Is("argument_list"))) continue;
    if (!flow_.IsDevicePosition(node)) continue;
    names_accelerator_ = true;
    AddPosition("literal");
    if (node.Text() != "0") SecondDevice(node);
    edits_.Replace("device-index", node, "\"" + DeviceText("0") + "\"");
  }
}

// x.cuda(), x.cuda(0), x.cuda(non_blocking=True) -> x.to("xpu", ...)
void Adapter::AcceleratorCalls() {
  if (names_.bound.contains("cuda") && !names_.imports.contains("cuda")) return;  // a method of the script itself
  for (const PyNode& call : tree_.Nodes()) {
    if (!call.Is("call") || !call.Field("function").Is("attribute")) continue;
    const PyNode method = call.Field("function").Field("attribute");
    const bool accelerator = method.Text() == "cuda" || method.Text() == "xpu" || method.Text() == "npu";
    if (!accelerator || CalleeOf(names_, call).starts_with("torch.")) continue;
    names_accelerator_ = true;
    AddPosition("call");
    if (method.Text() == target_.device) continue;
    const PyNode arguments = call.Field("arguments");
    const std::vector<PyNode> given = arguments.Children();
    edits_.Replace("cuda-call", method, "to");
    const auto device = "\"" + target_.device + "\"";
    if (given.empty()) {
      edits_.Replace("cuda-call", arguments.Begin() + 1, arguments.Begin() + 1, device);
      continue;
    }
    PyNode first = given.front();
    if (first.Is("keyword_argument") && first.Field("name").Text() == "device") first = first.Field("value");
    if (first.Is("keyword_argument")) {  // non_blocking=
      edits_.Replace("cuda-call", first.Begin(), first.Begin(), device + ", ");
    } else if (first.Is("integer")) {
      if (first.Text() != "0") SecondDevice(call);
      edits_.Replace("cuda-call", first, "\"" + DeviceText(std::string(first.Text())) + "\"");
    } else if (first.Text() == "None") {
      edits_.Replace("cuda-call", first, device);
    } else if (!first.Is("string") && !flow_.IsDevicePosition(first)) {
      const std::string index(first.Text());
      edits_.Replace("cuda-call", first, target_.is_reference ? device : "f\"" + target_.device + ":{" + index + "}\"");
    }
  }
}

// x.is_cuda -> x.is_xpu, unless the script defines the attribute.
void Adapter::AcceleratorProperties() {
  const auto stores = [](PyNode node) { return node.Parent().Is("assignment") && node.Parent().Field("left") == node; };
  std::vector<PyNode> uses;
  for (const PyNode& node : tree_.Nodes()) {
    if (!node.Is("attribute") || node.Field("attribute").Text() != "is_cuda") continue;
    if (stores(node)) return;
    uses.push_back(node.Field("attribute"));
  }
  for (const PyNode& use : uses) edits_.Replace("device-property", use, "is_" + target_.device);
}

// torch.library.impl(lib, "op", "CUDA"): upper case, and only there.
void Adapter::DispatchKeys(PyNode string) {
  static const Pattern key = Pattern::Constant(R"(^(Autograd|Autocast|Sparse|SparseCsr|Quantized|NestedTensor)?CUDA$)");
  PyNode call = string.Parent().Parent();
  if (string.Parent().Is("keyword_argument")) call = call.Parent();
  if (!call.Is("call")) return;
  const std::string method = MethodOf(call);
  const bool library = method == "impl" || method == "Library" || method == "_scoped_library" || method == "fallback";
  const bool kernel = method == "impl" || method == "register_kernel";
  std::string storage;
  const std::string* value = StringValue(string, &storage);
  if (!value) return;
  if (const auto match = key.Find(*value); match && library) {
    edits_.Replace("dispatch-key", string, Requoted(string, std::string(match->groups[1]) + target_.dispatch_key));
  } else if (*value == "cuda" && kernel) {
    edits_.Replace("dispatch-key", string, Requoted(string, target_.device));
  }
}

void Adapter::Collectives(PyNode string) {
  const bool keyword = string.Parent().Is("keyword_argument");
  if (keyword && string.Parent().Field("name").Text() != "backend") return;
  const PyNode call = keyword ? string.Parent().Parent().Parent() : string.Parent().Parent();
  if (!call.Is("call") || (MethodOf(call) != "init_process_group" && MethodOf(call) != "new_group")) return;
  std::string storage;
  const std::string* value = StringValue(string, &storage);
  if (!value || !value->contains("nccl") || target_.collective_backend.empty()) return;
  static const Pattern device = Pattern::Constant("cuda:nccl");
  static const Pattern backend = Pattern::Constant("nccl");
  const std::string renamed = device.ReplaceAll(*value, target_.device + ":nccl");
  edits_.Replace("collective-backend", string, Requoted(string, backend.ReplaceAll(renamed, target_.collective_backend)));
}

// A third-party import that nothing uses would only fail.
void Adapter::UnusedImports() {
  static const Pattern third_party = Pattern::Constant(
      R"(^(transformers|torchvision|torchaudio|torchao|timm|diffusers|accelerate|flash_attn|xformers|cupy|pandas|matplotlib|tqdm|triton|pytest|sklearn|scipy|einops|numba|pycuda|tensorflow|jax|onnx|onnxruntime)(\.|$))");
  for (const PyNode& node : tree_.Nodes()) {
    if (!node.Is("import_statement") && !node.Is("import_from_statement")) continue;
    const PyNode module = node.Field("module_name");
    std::string kept, removed;
    for (const PyNode& child : node.Children()) {
      if (child == module) continue;
      const PyNode name = child.Is("aliased_import") ? child.Field("name") : child;
      const std::string_view full = module ? module.Text() : name.Text();
      const std::string local(child.Is("aliased_import") ? child.Field("alias").Text()
                                                         : name.Text().substr(0, name.Text().find('.')));
      const bool unused = third_party.FoundIn(full) && !names_.used.contains(local) && !child.Is("wildcard_import");
      std::string& list = unused ? removed : kept;
      list += (list.empty() ? "" : ", ") + std::string(child.Text());
    }
    if (removed.empty()) continue;
    out_.notes.push_back("removed an import that nothing uses: " + UntrustedText(removed).ForLogLine(80));
    const std::string head = module ? "from " + std::string(module.Text()) + " import " : "import ";
    edits_.Replace("unused-import", node, kept.empty() ? "pass" : head + kept);
  }
}

void Adapter::AddMissingDevice() {
  if (names_accelerator_ || target_.is_reference) return;
  bool added = false;
  for (const DeviceLiteral& literal : flow_.Literals()) {
    PyNode place = literal.node.Parent();
    if (place.Is("keyword_argument") && place.Field("name").Text() == "map_location") continue;
    if (place.Is("comparison_operator") || (place.Is("argument_list") && MethodOf(place.Parent()) == "to")) continue;
    edits_.Replace("cpu-literal", literal.node, Requoted(literal.node, target_.device));
    added = true;
  }
  added |= InjectDevice(tree_, names_, target_.device, &edits_) == Injected::kSomething;
  if (added) return AddPosition("injected");
  AddPosition("default-device");
  out_.prelude.push_back("torch.set_default_device(\"" + target_.device + "\")");
  out_.notes.push_back("no factory call to edit: the default device was set, which proves nothing by itself");
}

Adaptation Adapter::Run() && {
  const ApiFindings api = MapApi(tree_, names_, target_, &edits_);
  Literals();
  IndexDevices();
  AcceleratorCalls();
  AcceleratorProperties();
  for (const PyNode& node : tree_.Nodes()) {
    if (!node.Is("string")) continue;
    DispatchKeys(node);
    Collectives(node);
  }
  UnusedImports();
  AddMissingDevice();
  const Seeding seeding = SeedingFor(tree_, names_);
  std::ranges::copy(seeding.statements, std::back_inserter(out_.prelude));
  if (!seeding.statements.empty()) out_.notes.push_back("unseeded randomness: seeded with 0");
  if (api.asks_availability) out_.notes.push_back("the availability check asks for the target");
  if (api.asks_capability) out_.notes.push_back("the capability check takes the branch for a recent device");
  out_.without_counterpart = api.without_counterpart;
  out_.code = edits_.Applied();
  out_.edits = edits_.Sorted();
  return std::move(out_);
}

}  // namespace

Adaptation Adapt(const PythonTree& tree, const Names& names, const TargetProfile& target, EditList first) {
  return Adapter(tree, names, target, std::move(first)).Run();
}

}  // namespace xpu_align
