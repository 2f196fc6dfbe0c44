// DeepFilter: rejects a candidate when its details prove that it can not concern the target: only
// exclusive or infrastructure files, no behaviour changed, or no material for a script. Unknown passes.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "model/details.h"
#include "model/ledger_row.h"

namespace xpu_align {

// Of one changed file. Twin: a file of another backend with a counterpart for the target.
enum class PathClass { kShared, kTwin, kExclusive, kInfrastructure, kTest, kTargetScoped, kUnknown };
std::string_view Name(PathClass path_class);

struct DeepDecision {
  DeepStatus status = DeepStatus::kPass;  // pass or reject
  Reason reason;                          // rule: one of the closed list of docs/rules.md
  std::vector<std::string> areas;         // path classes and modules touched, sorted, unique
};

class DeepFilter {
 public:
  // `paths`: src/rules/paths.json, `deep`: src/rules/deep.json. kConfig when malformed.
  static Result<DeepFilter> FromJson(const Json& paths, const Json& deep);
  DeepFilter(DeepFilter&&) noexcept;
  DeepFilter& operator=(DeepFilter&&) noexcept;
  ~DeepFilter();

  PathClass ClassOf(const UntrustedText& path) const;
  DeepDecision Decide(const Details& details) const;

 private:
  struct Rules;
  explicit DeepFilter(std::unique_ptr<const Rules> rules);
  std::unique_ptr<const Rules> rules_;
};

}  // namespace xpu_align
