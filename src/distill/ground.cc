#include <algorithm>
#include <set>

#include "digest/sha256.h"
#include "distill/license.h"
#include "distill/missing_pin.h"
#include "distill/pinned_tree.h"
#include "distill/readset.h"
#include "text/untrusted_text.h"

namespace xpu_align::distill {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string Place(const std::string& repo, const std::string& path) {
  return repo + ":" + UntrustedText(path).ForLogLine(300);
}

bool AnyMatches(const std::vector<PathGlob>& globs, const std::string& path) {
  return std::ranges::any_of(globs, [&](const PathGlob& glob) { return glob.Matches(path); });
}

bool IsNamedLiterally(const ScopeRead& read, const std::string& path) {
  return read.windows.contains(path) || std::ranges::any_of(read.include, [&](const PathGlob& glob) {
           return glob.IsLiteral() && glob.Text() == path;
         });
}

class Grounding {
 public:
  Grounding(const Scope& scope, const Clones& clones) : scope_(scope), clones_(clones) {}

  Result<Grounded> Ground() {
    const Status done = GroundAll();
    if (done) return std::move(grounded_);
    if (done.error().kind != ErrorKind::kNotFound) return std::unexpected(done.error());
    // A tree of the pin: the commit alone is there.
    std::string commands;
    for (const ScopeRepository& repository : scope_.repositories)
      commands += " `" + FetchCommand(repository, clones_) + "`";
    return Fail(ErrorKind::kGit, CheckName(CheckId::kPinObject) + " " + done.error().message +
                                     ": a clone lacks objects of its pin and nothing is fetched here; bring them with" +
                                     commands);
  }

 private:
  Status GroundAll() {
    grounded_.readset.scope_sha256 = scope_.sha256;
    for (const ScopeRepository& repository : scope_.repositories) TRY(GroundRepository(repository));
    for (const ScopeArea& area : scope_.areas) TRY(GroundArea(area));
    for (AreaReadset& area : grounded_.readset.areas) TRY(ListUnread(&area));
    return {};
  }

  void Report(CheckId check, std::string where, std::string message, Severity severity = Severity::kFinding) {
    grounded_.findings.push_back({check, std::move(where), std::move(message), severity});
  }

  Status GroundRepository(const ScopeRepository& repository) {
    TRY_ASSIGN(const PinnedCommit commit, PinIn(repository, clones_));
    GitObjects& objects = *clones_.find(repository.id)->second.objects;
    GroundedRepository out{.id = repository.id,
                           .slug = repository.slug,
                           .pin = repository.pin,
                           .tree = commit.tree,
                           .label = repository.label,
                           .committed_at = commit.committed_at,
                           .shallow = objects.IsShallow()};
    if (out.shallow)
      Report(CheckId::kPinObject, repository.id, "the clone is shallow; the pin is whole", Severity::kWarning);
    if (!repository.label.empty()) {
      out.label_commit = objects.CommitNamed(repository.label).value_or("");
      if (out.label_commit != repository.pin)
        Report(CheckId::kLabel, repository.id,
               "label " + repository.label +
                   (out.label_commit.empty() ? " is not in the clone" : " names " + out.label_commit) +
                   ", the pin is " + repository.pin,
               Severity::kWarning);
    }
    PinnedTree& tree = trees_.try_emplace(repository.id, objects, commit.tree).first->second;
    TRY_ASSIGN(out.license, LicenseOf(repository, &tree));
    if (!repository.owners_path.empty()) {
      const auto skills = PathGlob::Parse(repository.owners_path + "/**/SKILL.md");
      CHECK(skills);  // owners_path is a path that was checked
      TRY_ASSIGN(const auto found, tree.Matching(*skills));
      for (const PinnedEntry& skill : found) {
        const std::string folder = FolderOf(skill.path);
        if (folder.size() > repository.owners_path.size())
          out.existing_owners.push_back(folder.substr(folder.rfind('/') + 1));
      }
      std::ranges::sort(out.existing_owners);
      for (const std::string& owner : out.existing_owners)
        if (scope_.Area(owner))
          Report(CheckId::kOwner, "scope.areas." + owner, "skill " + owner + " already exists in " + repository.id);
    }
    grounded_.readset.repositories.push_back(std::move(out));
    return {};
  }

  Result<std::string> LicenseOf(const ScopeRepository& repository, PinnedTree* tree) {
    const PinnedEntry* entry = nullptr;
    if (!repository.license_path.empty()) {
      TRY_ASSIGN(entry, tree->At(repository.license_path));
    }
    if (!entry || entry->kind != EntryKind::kFile) {
      Report(CheckId::kLicence, repository.id, "no licence file " + repository.license_path + " at the pin",
             Severity::kWarning);
      return std::string(kNoLicense);
    }
    TRY_ASSIGN(const std::string text, BlobOf(repository, *entry));
    return LicenseName(text);
  }

  Result<std::string> BlobOf(const ScopeRepository& repository, const PinnedEntry& entry) {
    auto bytes = clones_.find(repository.id)->second.objects->Blob(entry.id);
    if (bytes) return bytes;
    return Fail(ErrorKind::kGit,
                "blob " + entry.id + " (" + Place(repository.id, entry.path) +
                    ") is not in the clone; it is partial or damaged, and nothing is fetched here: run `" +
                    FetchCommand(repository, clones_) + "` in a whole clone");
  }

  Status GroundArea(const ScopeArea& area) {
    AreaReadset out{.area = area.id};
    for (const ScopeRead& read : area.reads) {
      std::map<std::string, PinnedEntry> entries;
      PinnedTree& tree = trees_.find(read.repo)->second;
      std::vector<PathGlob> globs = read.include;
      for (const auto& [path, lines] : read.windows)
        if (auto glob = PathGlob::Parse(path)) globs.push_back(std::move(*glob));
      for (const PathGlob& glob : globs) {
        TRY_ASSIGN(const auto matching, tree.Matching(glob));
        for (const PinnedEntry& entry : matching) entries.emplace(entry.path, entry);
        if (!matching.empty()) continue;
        TRY_ASSIGN(auto nearest, tree.Nearest(glob));
        std::string names;
        for (const std::string& path : nearest)
          names += (names.empty() ? "" : ", ") + UntrustedText(path).ForLogLine(200);
        Report(CheckId::kEmptyGlob, area.id,
               "pattern " + read.repo + ":" + glob.Text() +
                   " matches no file; nearest: " + (names.empty() ? "none" : names));
        out.empty_globs.push_back({read.repo, glob.Text(), std::move(nearest)});
      }
      for (const auto& [path, entry] : entries) TRY(GroundFile(area, read, entry, &out));
    }
    const auto by_place = [](const auto& a, const auto& b) {
      return std::tie(a.repo, a.path) < std::tie(b.repo, b.path);
    };
    std::ranges::sort(out.files, by_place);
    std::ranges::sort(out.skipped, by_place);
    grounded_.readset.areas.push_back(std::move(out));
    return {};
  }

  Status GroundFile(const ScopeArea& area, const ScopeRead& read, const PinnedEntry& entry, AreaReadset* out) {
    const auto skip = [&](SkipReason reason, std::string detail) {
      out->skipped.push_back({read.repo, entry.path, reason, std::move(detail)});
      return Status();
    };
    const auto over = [&](SkipReason reason, const std::string& detail) {
      Report(CheckId::kBudget, Place(read.repo, entry.path), "not read in " + area.id + ": " + detail);
      return skip(reason, detail);
    };
    if (std::ranges::any_of(out->files,
                            [&](const ReadFile& file) { return file.repo == read.repo && file.path == entry.path; }))
      return {};  // another read of the area has it
    if (AnyMatches(read.exclude, entry.path)) return skip(SkipReason::kExcluded, "by the area");
    for (const Exclusion& exclusion : scope_.exclusions)
      if ((exclusion.repo.empty() || exclusion.repo == read.repo) && AnyMatches(exclusion.paths, entry.path))
        return skip(SkipReason::kExcluded, exclusion.reason);
    for (const ScopeOwner& owner : scope_.owners)
      if (owner.repo == read.repo && AnyMatches(owner.paths, entry.path)) {
        Report(CheckId::kOwner, Place(read.repo, entry.path),
               "belongs to " + owner.id + " and is not read in " + area.id);
        return skip(SkipReason::kOwned, owner.id);
      }
    if (entry.kind == EntryKind::kSubmodule) return skip(SkipReason::kSubmodule, entry.id);
    const ScopeRepository& repository = *scope_.Repository(read.repo);
    TRY_ASSIGN(std::string bytes, BlobOf(repository, entry));
    if (entry.kind == EntryKind::kSymlink) return skip(SkipReason::kSymlink, UntrustedText(bytes).ForLogLine(200));

    const int64_t size = static_cast<int64_t>(bytes.size());
    SourceText source(std::move(bytes));
    if (source.IsBinary()) return skip(SkipReason::kBinary, std::to_string(size) + " bytes");
    if (!IsNamedLiterally(read, entry.path) && (entry.path.contains("/generated/") || source.SaysGenerated()))
      return skip(SkipReason::kGenerated, "its generator is the better source");
    ReadFile file{.repo = read.repo,
                  .path = entry.path,
                  .mode = entry.mode,
                  .blob = entry.id,
                  .bytes = size,
                  .lines = source.LineCount()};
    int64_t counted_bytes = size, counted_lines = file.lines;
    if (const auto window = read.windows.find(entry.path); window != read.windows.end()) {
      file.window = window->second;
      if (file.window->last > file.lines) {
        Report(CheckId::kBudget, Place(read.repo, entry.path),
               "the window ends at line " + std::to_string(file.window->last) + ", the file at " +
                   std::to_string(file.lines));
        file.window->last = static_cast<int>(file.lines);
        if (file.window->first > file.lines) return skip(SkipReason::kOverFileBudget, "the window lies behind the end");
      }
      counted_lines = file.window->last - file.window->first + 1;
      counted_bytes = static_cast<int64_t>(source.Lines(*file.window).size()) + 1;
    }
    const Budget& budget = area.budget;
    if (counted_bytes > budget.file_bytes)
      return over(SkipReason::kOverFileBudget,
                  std::to_string(counted_bytes) + " bytes, budget.file_bytes is " + std::to_string(budget.file_bytes));
    if (static_cast<int64_t>(out->files.size()) >= budget.files)
      return over(SkipReason::kOverAreaBudget, "budget.files is " + std::to_string(budget.files));
    if (out->bytes + counted_bytes > budget.bytes)
      return over(SkipReason::kOverAreaBudget, std::to_string(out->bytes + counted_bytes) + " bytes, budget.bytes is " +
                                                   std::to_string(budget.bytes));
    if (out->lines + counted_lines > budget.lines)
      return over(SkipReason::kOverAreaBudget, std::to_string(out->lines + counted_lines) + " lines, budget.lines is " +
                                                   std::to_string(budget.lines));
    file.encoding = source.IsUtf8() ? "utf-8" : "bytes";
    file.eol = source.Eol();
    file.byte_order_mark = source.HasByteOrderMark();
    file.sha256 = Sha256Hex(source.Bytes());
    out->bytes += counted_bytes;
    out->lines += counted_lines;
    read_.insert(Place(file.repo, file.path));
    out->files.push_back(std::move(file));
    grounded_.sources.try_emplace(entry.id, std::move(source));
    return {};
  }

  // Beside what was read: files and submodules that no area reads.
  Status ListUnread(AreaReadset* area) {
    std::set<std::pair<std::string, std::string>> folders;
    for (const ReadFile& file : area->files) folders.emplace(file.repo, FolderOf(file.path));
    for (const auto& [repo, folder] : folders) {
      TRY_ASSIGN(const auto entries, trees_.find(repo)->second.InFolder(folder));
      for (const PinnedEntry& entry : entries)
        if (entry.kind != EntryKind::kFolder && !read_.contains(Place(repo, entry.path)))
          area->unread.push_back(Place(repo, entry.path));
    }
    return {};
  }

  const Scope& scope_;
  const Clones& clones_;
  std::map<std::string, PinnedTree> trees_;
  std::set<std::string> read_;
  Grounded grounded_;
};

}  // namespace

Result<Grounded> GroundReadset(const Scope& scope, const Clones& clones) { return Grounding(scope, clones).Ground(); }

}  // namespace xpu_align::distill
