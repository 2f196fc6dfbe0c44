// PathClasses: what a changed file of the scanned repository means for the target. The table is data
// (src/rules/paths.json): globs by class, the first rule that fits wins, no rule means unknown.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/json.h"
#include "text/pattern.h"
#include "text/untrusted_text.h"

namespace xpu_align {

// Twin: a file of another backend with a hand-kept counterpart for the target.
enum class PathClass { kShared, kTwin, kExclusive, kInfrastructure, kTest, kTargetScoped, kUnknown };
std::string_view Name(PathClass path_class);
std::optional<PathClass> PathClassNamed(std::string_view name);

struct ClassifiedPath {
  PathClass path_class = PathClass::kUnknown;
  std::string rule;  // empty: unknown
  std::string area;  // module for people: inductor, aten, distributed
  std::string counterpart;  // twins: a glob of the counterpart's path, in the scanned or the kernel repository
};

class PathClasses {
 public:
  // kConfig when malformed. Format: src/rules/paths.json.
  static Result<PathClasses> FromJson(const Json& file);
  ClassifiedPath Classify(const UntrustedText& path) const;

 private:
  struct Rule {
    std::string id, area, counterpart;
    PathClass path_class;
    std::vector<Pattern> patterns;
  };
  std::string CounterpartOf(const std::string& counterpart, std::string_view path, const PatternMatch& match) const;
  std::string StemOf(std::string_view path) const;
  std::vector<Rule> rules_;
  std::vector<std::pair<std::string, std::string>> stems_;  // end of a path without extension, the counterpart's stem
};

// The usual stem of a counterpart: FooKernels, FooOp and foo_kernel are Foo; foo_bar_impl is FooBar.
std::string UsualStem(std::string_view stem);

// RE2 of a glob: ** any path, * and ? within one folder, {a,b} alternatives; the rest is literal. Each
// wildcard is a group.
std::string PatternOfGlob(std::string_view glob);

}  // namespace xpu_align
