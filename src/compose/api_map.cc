#include "compose/api_map.h"

#include <algorithm>
#include <optional>

namespace xpu_align {
namespace {

constexpr std::string_view kSource = "torch.cuda";
constexpr std::string_view kModules[] = {"torch.cuda", "torch.xpu", "torch.mps", "torch.npu"};

bool IsOrUnder(std::string_view name, std::string_view module) {
  return name == module || (name.starts_with(module) && name.substr(module.size()).starts_with('.'));
}

// torch.xpu.Stream -> torch.cuda.Stream, so that one table serves scripts written for any accelerator.
// Empty for a name that belongs to no accelerator.
std::string AsSourceName(const std::string& name) {
  for (const std::string_view module : kModules)
    if (IsOrUnder(name, module)) return std::string(kSource) + name.substr(module.size());
  return {};
}

struct Mapping {
  std::string from;  // the prefix of the name that the table knows
  std::string to;    // expression or template
};

class ApiMap {
 public:
  ApiMap(const Names& names, const TargetProfile& target, EditList* edits)
      : names_(names), target_(target), edits_(edits) {}

  void Visit(PyNode node);
  ApiFindings findings;

 private:
  void VisitImport(PyNode statement);
  void Rewrite(PyNode node, const std::string& local, const Mapping& mapping, const std::string& full);
  std::optional<Mapping> Find(const std::string& name) const;
  // Length of the longest entry without counterpart that covers the name; 0 for none.
  size_t WithoutCounterpart(const std::string& name) const;
  void Report(const std::string& name) {
    if (findings.without_counterpart.empty()) findings.without_counterpart = name;
  }
  bool IsForeign(const std::string& name) const {
    return !AsSourceName(name).empty() && !IsOrUnder(name, target_.module);
  }

  const Names& names_;
  const TargetProfile& target_;
  EditList* edits_;
};

std::optional<Mapping> ApiMap::Find(const std::string& name) const {
  for (std::string prefix = name; !prefix.empty(); prefix.resize(prefix.rfind('.') == std::string::npos ? 0 : prefix.rfind('.')))
    if (const auto found = target_.api_renames.find(prefix); found != target_.api_renames.end())
      return Mapping{prefix, found->second};
  return std::nullopt;
}

size_t ApiMap::WithoutCounterpart(const std::string& name) const {
  size_t longest = 0;
  for (const std::string& entry : target_.api_without_counterpart) {
    const std::string_view prefix = std::string_view(entry).substr(0, entry.size() - (entry.ends_with('*') ? 1 : 0));
    const bool holds = entry.ends_with('*') ? name.starts_with(prefix) : IsOrUnder(name, entry);
    if (holds) longest = std::max(longest, prefix.size());
  }
  return longest;
}

void ApiMap::Rewrite(PyNode node, const std::string& local, const Mapping& mapping, const std::string& full) {
  // The part of the expression that spells the mapped prefix; attributes after it stay as they are.
  const auto parts = [](const std::string& name) { return std::ranges::count(name, '.') + 1; };
  const auto beyond = parts(full) - parts(mapping.from);
  const auto droppable = std::min(beyond, parts(local) - 1);
  for (auto i = droppable; i > 0; --i) node = node.Field("object");
  std::string rest;  // attributes inside an imported name that the mapping does not cover
  if (beyond > droppable) rest = full.substr(mapping.from.size());

  const size_t dots = mapping.to.find("...");
  if (dots == std::string::npos) return edits_->Replace("api-rename", node, mapping.to + rest);
  const size_t open = mapping.to.find('(');
  const std::string function = mapping.to.substr(0, open);
  std::string leading = mapping.to.substr(open + 1, dots - open - 1);  // `"xpu", `
  const std::string trailing = mapping.to.substr(dots + 4);            // after `...)`
  const PyNode call = node.Parent();
  if (call.Is("call") && call.Field("function") == node) {
    const PyNode arguments = call.Field("arguments");
    if (arguments.Children().empty() && leading.ends_with(", ")) leading.resize(leading.size() - 2);
    edits_->Replace("api-rename", node, function);
    if (!leading.empty()) edits_->Replace("api-argument", arguments.Begin() + 1, arguments.Begin() + 1, leading);
    if (!trailing.empty()) edits_->Replace("api-argument", call.End(), call.End(), trailing);
  } else if (call.Is("decorator") && trailing.empty()) {
    if (leading.ends_with(", ")) leading.resize(leading.size() - 2);
    edits_->Replace("api-rename", node, function + "(" + leading + ")");
  } else {
    Report(mapping.from + " used without a call");
  }
}

// Imports of accelerator modules: the statement becomes `import torch`, uses are rewritten where they are.
void ApiMap::VisitImport(PyNode statement) {
  const PyNode module = statement.Field("module_name");
  std::string kept;
  bool foreign = false;
  for (const PyNode& child : statement.Children()) {
    if (child == module) continue;
    const PyNode name = child.Is("aliased_import") ? child.Field("name") : child;
    const std::string full = (module ? std::string(module.Text()) + "." : std::string()) +
                             (child.Is("wildcard_import") ? "*" : std::string(name.Text()));
    findings.uses_accelerator_api |= !AsSourceName(full).empty();
    if (IsForeign(full)) {
      foreign = true;
      if (child.Is("wildcard_import")) Report(full);
    } else {
      kept += (kept.empty() ? "" : ", ") + std::string(child.Text());
    }
  }
  if (!foreign) return;
  std::string after = "import torch";
  if (!kept.empty() && module) after = "from " + std::string(module.Text()) + " import " + kept;
  if (!kept.empty() && !module) after = "import " + kept + ", torch";
  edits_->Replace("accelerator-import", statement, after);
}

void ApiMap::Visit(PyNode node) {
  if (node.Is("import_statement") || node.Is("import_from_statement")) return VisitImport(node);
  const bool name_use = node.Is("identifier") && IsNameUse(node);
  if (!name_use && !node.Is("attribute")) return;
  if (node.Parent().Is("attribute")) return;  // only whole chains
  const std::string local = DottedName(node);
  const std::string full = Resolved(names_, local);
  if (!full.starts_with("torch.")) return;
  const std::string source = AsSourceName(full);
  findings.uses_accelerator_api |= !source.empty();
  findings.asks_availability |= source == "torch.cuda.is_available";
  findings.asks_capability |= source == "torch.cuda.get_device_capability";
  if (!source.empty() && !IsForeign(full)) return;  // the target's own module
  const std::string& key = source.empty() ? full : source;
  // The longer entry says more: torch.cuda.nvtx has no counterpart, torch.cuda.nvtx.range has one.
  const auto mapping = Find(key);
  const size_t without = WithoutCounterpart(key);
  if (mapping && mapping->from.size() >= without) return Rewrite(node, local, *mapping, key);
  if (without > 0) return Report(full);
  if (source.empty()) return;
  if (source == kSource) return Rewrite(node, local, {std::string(kSource), target_.module}, key);
  if (target_.module == kSource) return Rewrite(node, local, {key, key}, key);
  Report(full);
}

}  // namespace

ApiFindings MapApi(const PythonTree& tree, const Names& names, const TargetProfile& target, EditList* edits) {
  ApiMap map(names, target, edits);
  for (const PyNode& node : tree.Nodes()) map.Visit(node);
  return map.findings;
}

}  // namespace xpu_align
