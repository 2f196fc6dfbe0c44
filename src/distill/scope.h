// Scope: what is to be distilled: repositories at pins, areas with their bounded readsets, owners that are
// respected, interfaces to compare, and who may author. Read from a scope file; unknown keys are refused. Says nothing
// about where clones are.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "distill/fact.h"
#include "distill/finding.h"
#include "distill/path_glob.h"

namespace xpu_align::distill {

struct ScopeRepository {
  std::string id, slug;
  std::string pin;    // full id of a commit
  std::string label;  // a tag that should name the pin; may be empty
  std::string license_path;
  std::string owners_path;  // folder of skills that already exist there; may be empty
};

struct ScopeOwner {
  std::string id, repo;
  std::vector<PathGlob> paths;
  std::string pin;  // of the owner's work; may be a short id, it is only shown
};

// Paths that no area may read, whatever its patterns say.
struct Exclusion {
  std::string repo;  // empty: every repository
  std::vector<PathGlob> paths;
  std::string reason;
};

struct ScopeRead {
  std::string repo;
  std::vector<PathGlob> include, exclude;
  std::map<std::string, LineRange> windows;  // path -> the only lines that are read
};

struct Budget {
  int64_t files = 40, bytes = 1 << 20, file_bytes = 128 << 10, lines = 20'000, facts = 800;
};

struct TwinRule {
  PathGlob path;
  std::string counterpart;
};

struct ScopeMatch {
  std::vector<PathGlob> shared, exclusive;
  std::vector<TwinRule> twin;
};

struct ScopeArea {
  std::string id, title, summary, when;
  std::vector<ScopeRead> reads;
  std::vector<FactKind> kinds;  // sorted
  Budget budget;
  ScopeMatch match;
  std::string implement_in;
};

// A class in a file.
struct ClassPlace {
  std::string repo, path, name;
};
// Members of `base` against the classes that should fill them.
struct ScopeInterface {
  std::string id, area;
  ClassPlace base;
  std::map<std::string, ClassPlace> backends;
};

struct ScopePolicy {
  std::string author;
  std::vector<std::string> authors_allowed;  // with has_allow_list
  bool has_allow_list = false;
  size_t max_description = 300;
  std::string delivery;  // what is known about the delivery, in the words of the scope; may be empty
};

// Names that a project gave to what the extractors look for.
struct ScopeReaders {
  std::vector<std::string> env, check, warn, registration;
};

struct Scope {
  std::string id, title;
  std::vector<ScopeRepository> repositories;
  std::vector<ScopeOwner> owners;
  std::vector<Exclusion> exclusions;
  std::vector<ScopeArea> areas;
  std::vector<ScopeInterface> interfaces;
  ScopeReaders readers;
  ScopePolicy policy;
  std::string sha256;  // of the file's canonical JSON

  const ScopeRepository* Repository(std::string_view repository_id) const;
  const ScopeArea* Area(std::string_view area_id) const;
};

struct ParsedScope {
  std::optional<Scope> scope;     // null with a D101
  std::vector<Finding> findings;  // D101, and D102 for a pin that is no full id
};
ParsedScope ParseScope(std::string_view text);

}  // namespace xpu_align::distill
