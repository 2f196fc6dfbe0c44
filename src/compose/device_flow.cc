#include "compose/device_flow.h"

#include <algorithm>
#include <optional>

#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr std::string_view kDeviceKeywords[] = {"device", "device_type", "device_types", "map_location", "target_device"};
// Functions whose first argument is a device.
constexpr std::string_view kDeviceFunctions[] = {
    "torch.device", "torch.set_default_device", "torch.Generator", "torch.autocast", "torch.amp.autocast",
    "torch.amp.GradScaler", "torch.amp.custom_fwd", "torch.amp.custom_bwd", "torch.get_device_module", "torch.Event",
    "torch.Stream", "torch.get_autocast_dtype", "torch.set_autocast_dtype", "torch.is_autocast_enabled",
    "torch.set_autocast_enabled", "torch.distributed.init_device_mesh", "torch.distributed.device_mesh.init_device_mesh",
    "torch.distributed.DeviceMesh", "torch.distributed.device_mesh.DeviceMesh", "torch.amp.autocast_mode.autocast",
    "torch.amp.is_autocast_available"};

bool IsDeviceName(std::string_view name) {
  static const Pattern pattern = Pattern::Constant(R"((?i)device|^dev$)");
  return pattern.FoundIn(name);
}

std::optional<DeviceLiteral> LiteralOf(PyNode node) {
  static const Pattern plain = Pattern::Constant(R"(^(cuda|hip|xpu|mps|npu|cpu)(?::(\d+))?$)");
  static const Pattern start = Pattern::Constant(R"(^(cuda|hip|xpu|mps|npu|cpu):$)");
  if (!node.Is("string")) return std::nullopt;
  std::string storage;
  if (const std::string* value = StringValue(node, &storage)) {
    if (const auto match = plain.Find(*value))
      return DeviceLiteral{node, std::string(match->groups[1]), std::string(match->groups[2])};
    if (const auto match = start.Find(*value))  // "cuda:" + str(i)
      return DeviceLiteral{node, std::string(match->groups[1]), "{"};
    return std::nullopt;
  }
  for (const PyNode& child : node.Children())
    if (child.Is("string_content")) {
      const auto match = start.Find(child.Text());
      if (match) return DeviceLiteral{node, std::string(match->groups[1]), "{"};
      return std::nullopt;
    }
  return std::nullopt;
}

std::string LastPart(const std::string& dotted) { return dotted.substr(dotted.rfind('.') + 1); }

// Positional arguments only.
std::vector<PyNode> Positional(PyNode call) {
  std::vector<PyNode> out;
  for (const PyNode& argument : call.Field("arguments").Children())
    if (!argument.Is("keyword_argument") && !argument.Is("dictionary_splat")) out.push_back(argument);
  return out;
}

// "--device" or "device,dtype" as the first argument of add_argument or parametrize.
bool FirstStringNamesDevice(PyNode call) {
  const std::vector<PyNode> arguments = Positional(call);
  return !arguments.empty() && arguments.front().Is("string") && IsDeviceName(arguments.front().Text());
}

std::string MethodName(PyNode call) {
  const PyNode function = call.Field("function");
  return std::string(function.Is("attribute") ? function.Field("attribute").Text() : function.Text());
}

}  // namespace

DeviceFlow::DeviceFlow(const PythonTree& tree, const Names& names) : names_(names) {
  CollectFunctions(tree);
  for (size_t before = 1, now = 0; before != now && now < 200;) {
    before = now;
    for (const PyNode& node : tree.Nodes()) {
      if (node.Is("identifier") && IsNameUse(node) && IsDevicePosition(node)) flowing_.insert(std::string(node.Text()));
      if (node.Is("attribute") && IsDevicePosition(node))
        flowing_.insert("." + std::string(node.Field("attribute").Text()));
      if (node.Is("call") && node.Field("function").Is("identifier") && IsDevicePosition(node))
        flowing_.insert(std::string(node.Field("function").Text()));
    }
    now = flowing_.size();
  }
  for (const PyNode& node : tree.Nodes())
    if (auto literal = LiteralOf(node); literal && IsDevicePosition(node)) literals_.push_back(std::move(*literal));
}

void DeviceFlow::CollectFunctions(const PythonTree& tree) {
  for (const PyNode& node : tree.Nodes()) {
    if (!node.Is("function_definition")) continue;
    std::string name(node.Field("name").Text());
    std::vector<std::string> parameters;
    for (const PyNode& parameter : node.Field("parameters").Children()) {
      PyNode bare = parameter.Field("name") ? parameter.Field("name") : parameter;
      if (bare.Is("typed_parameter")) bare = bare.Children().front();
      parameters.emplace_back(bare.Text());
    }
    const PyNode owner = node.Enclosing("class_definition");
    if (owner && !parameters.empty()) parameters.erase(parameters.begin());  // self
    if (owner && name == "__init__") name = owner.Field("name").Text();
    parameters_.emplace(std::move(name), std::move(parameters));
  }
}

bool DeviceFlow::Flows(PyNode node) const {
  if (node.Is("identifier")) return flowing_.contains(std::string(node.Text())) || IsDeviceName(node.Text());
  if (!node.Is("attribute")) return false;
  const std::string_view name = node.Field("attribute").Text();
  return flowing_.contains("." + std::string(name)) || IsDeviceName(name);
}

bool DeviceFlow::TargetFlows(PyNode target) const {
  if (Flows(target)) return true;
  if (!target.Is("pattern_list") && !target.Is("tuple_pattern")) return false;
  return std::ranges::any_of(target.Children(), [this](PyNode child) { return TargetFlows(child); });
}

// The other side of a comparison: x.device.type, str(t.device), a name that is a device elsewhere.
bool DeviceFlow::LooksLikeDevice(PyNode expression) const {
  if (Flows(expression)) return true;
  if (expression.Is("attribute") && expression.Field("attribute").Text() == "type")
    return LooksLikeDevice(expression.Field("object"));
  if (expression.Is("call") && expression.Field("function").Text() == "str") {
    const std::vector<PyNode> arguments = Positional(expression);
    return !arguments.empty() && LooksLikeDevice(arguments.front());
  }
  return false;
}

bool DeviceFlow::IsDeviceKeyword(PyNode keyword) const {
  const std::string_view name = keyword.Field("name").Text();
  if (std::ranges::find(kDeviceKeywords, name) != std::end(kDeviceKeywords)) return true;
  const PyNode call = keyword.Parent().Parent();
  if (name == "default" || name == "choices") return MethodName(call) == "add_argument" && FirstStringNamesDevice(call);
  return parameters_.contains(MethodName(call)) && flowing_.contains(std::string(name));
}

bool DeviceFlow::IsDeviceArgument(PyNode call, PyNode argument) const {
  const std::vector<PyNode> arguments = Positional(call);
  const auto place = static_cast<size_t>(std::ranges::find(arguments, argument) - arguments.begin());
  const std::string callee = CalleeOf(names_, call);
  const std::string method = callee.empty() ? MethodName(call) : LastPart(callee);
  if (place == 0) {
    if (std::ranges::find(kDeviceFunctions, callee) != std::end(kDeviceFunctions)) return true;
    const PyNode function = call.Field("function");
    if (function.Is("attribute") && (method == "to" || method == "to_empty")) return true;
    if (function.Is("attribute") && method == "cuda") return argument.Is("string") || LooksLikeDevice(argument);
    if (function.Is("attribute") && method == "startswith") return LooksLikeDevice(function.Field("object"));
  }
  if (method == "parametrize") return place == 1 && FirstStringNamesDevice(call);
  if (const auto found = parameters_.find(method); found != parameters_.end() && place < found->second.size())
    return flowing_.contains(found->second[place]) || IsDeviceName(found->second[place]);
  return false;
}

bool DeviceFlow::IsDevicePosition(PyNode node) const {
  while (true) {
    const PyNode parent = node.Parent();
    const std::string_view type = parent.Type();
    if (type == "parenthesized_expression" || type == "boolean_operator" || type == "list" || type == "tuple" ||
        type == "set" || type == "expression_list") {
      node = parent;
      continue;
    }
    if (type == "conditional_expression") {
      if (parent.Children()[1] == node) return false;  // its condition
      node = parent;
      continue;
    }
    if (type == "binary_operator") {
      if (parent.Field("left") != node || !node.Is("string")) return false;
      node = parent;
      continue;
    }
    if (type == "assignment" || type == "for_statement" || type == "for_in_clause")
      return parent.Field("right") == node && TargetFlows(parent.Field("left"));
    if (type == "named_expression" || type == "default_parameter" || type == "typed_default_parameter")
      return parent.Field("value") == node && TargetFlows(parent.Field("name"));
    if (type == "keyword_argument") return parent.Field("value") == node && IsDeviceKeyword(parent);
    if (type == "argument_list") return IsDeviceArgument(parent.Parent(), node);
    if (type == "comparison_operator")
      return std::ranges::any_of(parent.Children(),
                                 [&](PyNode side) { return side != node && LooksLikeDevice(side); });
    if (type == "pair") return parent.Field("value") == node && IsDeviceName(parent.Field("key").Text());
    if (type == "return_statement") {
      const PyNode function = parent.Enclosing("function_definition");
      return function && TargetFlows(function.Field("name"));
    }
    return false;
  }
}

}  // namespace xpu_align
