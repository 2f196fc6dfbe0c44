// What the distill commands work on: the scope that was named, the clones that were given, the folders. Made from an
// invocation; opens clones read-only, writes nothing. Used by distill_commands.cc.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>

#include "app/options.h"
#include "app/plan.h"
#include "distill/build.h"
#include "distill/drift.h"

namespace xpu_align {

struct DistillWorld {
  distill::Scope scope;
  std::vector<std::unique_ptr<GitObjects>> opened;
  distill::Clones clones;
  std::filesystem::path folder, cache_folder;
  distill::Admission admission = distill::Admission::kReported;
  std::map<std::string, std::string> other_pins;  // of drift, by repository
  std::vector<distill::DriftState> fail_on;       // of drift
};

struct OpenedScope {
  std::unique_ptr<DistillWorld> world;     // null when the scope is refused
  std::vector<distill::Finding> findings;  // why
  std::vector<std::string> notes;
};

// kUsage for --repo, kConfig when there is no such scope, kGit for a clone that can not be opened.
Result<OpenedScope> OpenScope(const Invocation& invocation, const Plan& plan);

// ID=VALUE pairs of a list option. kUsage.
Result<std::map<std::string, std::string>> Pairs(const Invocation& invocation, const std::string& option);

// Facts by blob in a folder below --cache-dir. A file that can not be read or written is as if it were not there.
class FileFactCache : public distill::FactCache {
 public:
  explicit FileFactCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::optional<std::string> Load(const std::string& key) override;
  void Store(const std::string& key, const std::string& facts) override;

 private:
  std::filesystem::path folder_;
};

}  // namespace xpu_align
