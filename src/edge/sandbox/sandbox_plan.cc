#include "edge/sandbox/sandbox_plan.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace xpu_align::sandbox {
namespace {

namespace fs = std::filesystem;

// Our own: never taken from the machine or from a root directory.
const char* const kOwnTopLevel[] = {"proc", "sys",  "dev", "tmp",   "run",  "scratch", "harness",
                                    "root", "home", "mnt", "media", "boot", "srv"};
// What an interpreter and a compiler read in /etc; nothing that tells who the machine is.
const char* const kHostEtc[] = {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
                                "/etc/localtime"};
const char* const kPrefixParts[] = {"bin", "lib", "lib64", "include", "share", "pyvenv.cfg"};
constexpr int kMaxLinks = 16;

bool IsInside(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

void AddTree(const std::string& source, const std::string& target, SandboxPlan* plan) {
  std::error_code error;
  if (!fs::exists(source, error)) return;
  for (const ReadOnlyTree& tree : plan->trees)
    if (IsInside(target, tree.target)) return;
  std::erase_if(plan->trees, [&](const ReadOnlyTree& tree) { return IsInside(tree.target, target); });
  plan->trees.push_back({source, target});
}

// The entries of `root` (an absolute folder without a slash at its end; empty: /) as trees and links.
void AddTopLevel(const std::string& root, SandboxPlan* plan) {
  std::error_code error;
  for (fs::directory_iterator it(root.empty() ? "/" : root, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename();
    if (std::ranges::find(kOwnTopLevel, name) != std::end(kOwnTopLevel)) continue;
    const fs::file_status status = it->symlink_status(error);
    if (fs::is_symlink(status)) plan->links["/" + name] = fs::read_symlink(it->path(), error);
    if (fs::is_directory(status)) AddTree(it->path(), "/" + name, plan);
  }
}

std::string BaseInterpreterFolder(const fs::path& prefix) {
  std::ifstream file(prefix / "pyvenv.cfg");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("home"))
      if (const size_t equals = line.find('='); equals != std::string::npos) {
        const size_t begin = line.find_first_not_of(" \t", equals + 1);
        if (begin != std::string::npos) return line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
      }
  return {};
}

void AddPrefix(const fs::path& folder_of_interpreter, SandboxPlan* plan) {
  const fs::path prefix = folder_of_interpreter.parent_path();
  for (const char* part : kPrefixParts) AddTree(prefix / part, prefix / part, plan);
}

// The interpreter's own prefix, its base interpreter's, and that of every file its links pass through.
void AddInterpreter(const fs::path& python, SandboxPlan* plan) {
  fs::path step = python;
  for (int i = 0; i < kMaxLinks; ++i) {
    AddPrefix(step.parent_path(), plan);
    if (const std::string home = BaseInterpreterFolder(step.parent_path().parent_path()); !home.empty())
      AddPrefix(home, plan);
    std::error_code error;
    if (!fs::is_symlink(fs::symlink_status(step, error))) return;
    const fs::path target = fs::read_symlink(step, error);
    step = (target.is_absolute() ? target : step.parent_path() / target).lexically_normal();
  }
}

std::vector<std::string> Expand(const std::vector<std::string>& patterns) {
  std::vector<std::string> nodes;
  for (const std::string& pattern : patterns) {
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0)
      for (size_t i = 0; i < found.gl_pathc; ++i) {
        std::error_code error;
        if (fs::is_character_file(fs::symlink_status(found.gl_pathv[i], error))) nodes.push_back(found.gl_pathv[i]);
      }
    ::globfree(&found);
  }
  return nodes;
}

Json MapToJson(const std::map<std::string, std::string>& map) {
  Json json = Json::EmptyObject();
  for (const auto& [key, value] : map) json.Set(key, value);
  return json;
}

std::map<std::string, std::string> MapFromJson(const Json& json) {
  std::map<std::string, std::string> map;
  if (const auto* object = json.AsObject())
    for (const auto& [key, value] : *object)
      if (const auto* text = value.AsString()) map[key] = *text;
  return map;
}

}  // namespace

Result<SandboxPlan> PlanFor(const InterpreterChoice& choice, const std::vector<std::string>& device_node_patterns) {
  SandboxPlan plan;
  std::error_code error;
  const std::string root = choice.python_root.empty() ? "" : fs::canonical(choice.python_root, error).string();
  if (error) return Fail(ErrorKind::kConfig, "--python-root " + choice.python_root + " is not a folder");
  plan.interpreter =
      choice.python.empty() ? "/usr/bin/python3" : fs::absolute(choice.python).lexically_normal().string();
  // A link in a root directory may point to a path of that root, so only there it is not followed.
  if (!fs::exists(root.empty() ? fs::status(plan.interpreter, error)
                               : fs::symlink_status(root + plan.interpreter, error)))
    return Fail(ErrorKind::kConfig,
                "there is no interpreter at " + root + plan.interpreter + "; name one with --python");
  if (root.empty()) {
    AddTree("/usr", "/usr", &plan);
    for (const char* top : {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}) {
      const std::string path = std::string("/") + top;
      if (fs::is_symlink(fs::symlink_status(path, error)))
        plan.links[path] = fs::read_symlink(path, error);
      else
        AddTree(path, path, &plan);
    }
    for (const char* path : kHostEtc) AddTree(path, path, &plan);
    AddInterpreter(plan.interpreter, &plan);
    plan.files["/etc/passwd"] = "sandbox:x:1000:1000:sandbox:/scratch:/bin/sh\n";
    plan.files["/etc/group"] = "sandbox:x:1000:\n";
  } else {
    AddTopLevel(root, &plan);
  }
  std::ranges::sort(plan.trees, {}, &ReadOnlyTree::target);
  plan.device_nodes = Expand(device_node_patterns);
  if (!plan.device_nodes.empty()) AddTree("/sys", "/sys", &plan);
  plan.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"},
                      {"HOME", kScratch},
                      {"TMPDIR", "/tmp"},
                      {"LANG", "C.UTF-8"},
                      {"USER", "sandbox"},
                      {"OMP_NUM_THREADS", "1"},
                      {"PYTHONHASHSEED", "0"},
                      {"TORCHINDUCTOR_CACHE_DIR", "/scratch/.cache/inductor"},
                      {"TRITON_CACHE_DIR", "/scratch/.cache/triton"},
                      {"TORCHINDUCTOR_COMPILE_THREADS", "1"},
                      {"TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS", "0"}};
  return plan;
}

Json ToJson(const SandboxPlan& plan) {
  Json trees = Json::EmptyArray();
  for (const ReadOnlyTree& tree : plan.trees)
    trees.Append(Json().Set("source", tree.source).Set("target", tree.target));
  return Json()
      .Set("trees", trees)
      .Set("links", MapToJson(plan.links))
      .Set("files", MapToJson(plan.files))
      .Set("device_nodes", plan.device_nodes)
      .Set("interpreter", plan.interpreter)
      .Set("environment", MapToJson(plan.environment))
      .Set("address_space", plan.memory_limit == MemoryLimit::kAddressSpace)
      .Set("writable_bytes", plan.writable_bytes)
      .Set("file_bytes", plan.file_bytes)
      .Set("processes", plan.processes)
      .Set("open_files", plan.open_files)
      .Set("user", plan.user);
}

SandboxPlan SandboxPlanFromJson(const Json& json) {
  SandboxPlan plan;
  for (const Json& tree : json.ArrayOf("trees"))
    plan.trees.push_back({tree.StringOr("source"), tree.StringOr("target")});
  plan.links = MapFromJson(json["links"]);
  plan.files = MapFromJson(json["files"]);
  plan.device_nodes = json.StringsOf("device_nodes");
  plan.interpreter = json.StringOr("interpreter");
  plan.environment = MapFromJson(json["environment"]);
  plan.memory_limit = json.BoolOr("address_space", false) ? MemoryLimit::kAddressSpace : MemoryLimit::kResident;
  plan.writable_bytes = json.IntOr("writable_bytes", plan.writable_bytes);
  plan.file_bytes = json.IntOr("file_bytes", plan.file_bytes);
  plan.processes = json.IntOr("processes", plan.processes);
  plan.open_files = json.IntOr("open_files", plan.open_files);
  plan.user = json.IntOr("user", plan.user);
  return plan;
}

}  // namespace xpu_align::sandbox
