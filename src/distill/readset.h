// Readset: exactly what was read at the pins, file by file with its blob, and what was left out and why. Nothing that
// is not listed here may be cited. Grounded from git objects; written as readset.json.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distill/scope.h"
#include "distill/source_text.h"
#include "ports/git_objects.h"

namespace xpu_align::distill {

struct Clone {
  GitObjects* objects = nullptr;  // owned by the caller
  std::string directory;          // only for messages
};
// By the id of the repository in the scope.
using Clones = std::map<std::string, Clone, std::less<>>;

enum class SkipReason {
  kExcluded,
  kBinary,
  kSubmodule,
  kSymlink,
  kGenerated,
  kOverFileBudget,
  kOverAreaBudget,
  kOwned,
};
std::string_view SkipName(SkipReason reason);

struct ReadFile {
  std::string repo, path;
  uint32_t mode = 0;
  std::string blob;
  int64_t bytes = 0, lines = 0;
  std::optional<LineRange> window;
  std::string encoding;  // utf-8 or bytes
  std::string eol;       // lf, crlf or mixed
  bool byte_order_mark = false;
  std::string sha256;  // of the whole blob
};

struct SkippedFile {
  std::string repo, path;
  SkipReason reason = SkipReason::kExcluded;
  std::string detail;  // owner, target of the link, commit of the submodule, size against budget
};

struct EmptyGlob {
  std::string repo, glob;
  std::vector<std::string> nearest;  // up to three paths
};

struct AreaReadset {
  std::string area;
  std::vector<ReadFile> files;       // sorted by repository and path
  std::vector<SkippedFile> skipped;  // sorted, too
  std::vector<EmptyGlob> empty_globs;
  std::vector<std::string> unread;  // "repo:path": beside what was read, and read by no area
  int64_t bytes = 0, lines = 0;
};

struct GroundedRepository {
  std::string id, slug, pin, tree, label;
  std::string label_commit;  // what the label names in the clone; empty when it names nothing
  int64_t committed_at = 0;
  bool shallow = false;
  std::string license;  // SPDX id when the text is known, "custom" for another text, NO_LICENSE without a file
  std::vector<std::string> existing_owners;  // skills found under owners_path
};

struct Readset {
  std::string scope_sha256;
  std::vector<GroundedRepository> repositories;
  std::vector<AreaReadset> areas;
};

struct Grounded {
  Readset readset;
  std::map<std::string, SourceText, std::less<>> sources;  // by blob, of the files that were read
  std::vector<Finding> findings;                           // D103 to D106, D403, D405
};

// kUsage without a clone for a repository; kConfig for an annotated tag in place of a pin; kGit when a pin or a blob is
// not in its clone: names repository, pin, nearest tags and the command that brings it.
Result<Grounded> GroundReadset(const Scope& scope, const Clones& clones);

// For a pin that is no full id: what it names in the clone, to paste; empty when there is no such name or clone.
std::string PinToPaste(const ScopeRepository& repository, const Clones& clones);

// Nothing in it depends on the clone, only on scope and objects.
Json ToJson(const Readset& readset);

}  // namespace xpu_align::distill
