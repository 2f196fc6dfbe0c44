// SandboxPlan: what one sandbox shows and allows, made by the parent and handed to the launcher as JSON.
// Two ways to see an interpreter: a whole root directory, or an interpreter of this machine with the
// folders it loads from. Everything that is shown is read-only.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "json/json.h"

namespace xpu_align::sandbox {

enum class MemoryLimit {
  kAddressSpace,  // RLIMIT_AS beside the watchdog: allocations fail inside the script
  kResident,      // the watchdog only: GPU runtimes reserve large address ranges
};

struct ReadOnlyTree {
  std::string source;  // on this machine
  std::string target;  // inside; absolute
};

struct SandboxPlan {
  std::vector<ReadOnlyTree> trees;           // sorted by target, none inside another
  std::map<std::string, std::string> links;  // inside: path -> where it points
  std::map<std::string, std::string> files;  // inside: path -> bytes (harness, /etc/passwd)
  std::vector<std::string> device_nodes;     // shown under their own paths
  std::string interpreter;                   // inside; absolute
  std::map<std::string, std::string> environment;
  MemoryLimit memory_limit = MemoryLimit::kResident;
  int64_t writable_bytes = int64_t{1} << 30;  // of each of /scratch, /tmp, /dev/shm
  int64_t file_bytes = int64_t{1} << 30;
  int64_t processes = 512;  // tasks, threads included
  int64_t open_files = 1024;
  int64_t user = 65534;  // that an effective uid 0 becomes before it makes namespaces
};

// How the target interpreter is named on the command line.
struct InterpreterChoice {
  std::string python;       // --python: path on this machine, or inside `python_root`
  std::string python_root;  // --python-root; empty: this machine's own files
};

// kConfig when the interpreter does not exist; the message names the path.
Result<SandboxPlan> PlanFor(const InterpreterChoice& choice, const std::vector<std::string>& device_node_patterns);

Json ToJson(const SandboxPlan& plan);
SandboxPlan SandboxPlanFromJson(const Json& json);

inline constexpr const char* kScratch = "/scratch";
inline constexpr const char* kHarness = "/harness";

}  // namespace xpu_align::sandbox
