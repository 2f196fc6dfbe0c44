#include "pipeline/material.h"

#include <algorithm>
#include <deque>
#include <set>

#include "digest/sha256.h"
#include "model/schema.h"
#include "pipeline/changed_tests.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxFiles = 60, kMaxBytes = 8u << 20;  // of one candidate
constexpr size_t kMaxImportDepth = 3;

// A path that can be laid out again below a folder: no part is empty, hidden, or leads out of it.
bool IsSafePath(std::string_view path) {
  static const Pattern safe = Pattern::Constant(R"(^[A-Za-z0-9_][A-Za-z0-9_.+-]*(?:/[A-Za-z0-9_][A-Za-z0-9_.+-]*){0,15}$)");
  return path.size() <= 240 && safe.FoundIn(path);
}

std::string FolderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "" : std::string(path.substr(0, slash + 1));
}

// Modules of import lines as relative paths without ".py": a/b for a.b; "./b" for a relative import.
std::vector<std::string> ImportsOf(std::string_view text) {
  static const Pattern line = Pattern::Constant(R"((?m)^[ \t]*(?:from[ \t]+(\.?[A-Za-z_][\w.]*)[ \t]+import\b|import[ \t]+([A-Za-z_][\w.]*)))");
  std::vector<std::string> modules;
  for (const PatternMatch& match : line.FindAll(text)) {
    std::string name(match.groups[1].data() ? match.groups[1] : match.groups[2]);
    const bool relative = name.starts_with('.');
    if (relative) name.erase(0, 1);
    std::ranges::replace(name, '.', '/');
    modules.push_back(relative ? "./" + name : name);
  }
  return modules;
}

class Export {
 public:
  Export(const Details& details, const std::string& sha, RepositoryReader& repository)
      : details_(details), sha_(sha), repository_(repository) {}

  Status WriteTo(RunStore& store) {
    for (const ChangedFile& file : details_.files)
      if (file.status != "removed" && IsTestFile(file.path)) Want(std::string(file.path.ForMatching()), "changed", 0);
    while (!wanted_.empty()) {
      const Wanted next = std::move(wanted_.front());
      wanted_.pop_front();
      TRY(Take(next, store));
    }
    if (files_.AsArray()->empty()) return {};
    Json index = Json().Set("schema", SchemaOf("material")).Set("id", details_.id.Text()).Set("sha", sha_).Set("files", files_);
    if (left_out_ > 0) index.Set("left_out", static_cast<int64_t>(left_out_));
    return store.Write(paths::Material(details_.id, "index.json"), WriteJson(index));
  }

 private:
  struct Wanted {
    std::string path;
    std::string_view role;  // changed, imported
    size_t depth;
  };

  void Want(std::string path, std::string_view role, size_t depth) {
    if (IsSafePath(path) && seen_.insert(path).second) wanted_.push_back({std::move(path), role, depth});
  }

  Status Take(const Wanted& wanted, RunStore& store) {
    const auto text = repository_.FileAt(sha_, UntrustedText(wanted.path));
    if (!text) {
      left_out_ += wanted.role == "changed";  // a module that is not there is one of the library
      return {};
    }
    if (count_ == kMaxFiles || bytes_ + text->SizeInBytes() > kMaxBytes) {
      ++left_out_;
      return {};
    }
    const std::string name = std::to_string(count_++) + ".py";
    bytes_ += text->SizeInBytes();
    TRY(store.Write(paths::Material(details_.id, name), text->ForMatching()));
    files_.Append(Json()
                      .Set("file", name)
                      .Set("path", wanted.path)
                      .Set("role", std::string(wanted.role))
                      .Set("sha256", Sha256Hex(text->ForMatching())));
    if (wanted.depth < kMaxImportDepth) WantImports(wanted, text->ForMatching());
    return {};
  }

  // Python finds them beside the file or from the root of the tests.
  void WantImports(const Wanted& importer, std::string_view text) {
    const std::string folder = FolderOf(importer.path);
    const std::string root = importer.path.starts_with("test/") ? "test/" : folder;
    Want(folder + "__init__.py", "imported", importer.depth + 1);
    for (const std::string& module : ImportsOf(text)) {
      const bool relative = module.starts_with("./");
      const std::string name = relative ? module.substr(2) : module;
      if (!relative && (name == "torch" || name.starts_with("torch/"))) continue;
      for (const std::string& base : {folder, relative ? folder : root}) {
        Want(base + name + ".py", "imported", importer.depth + 1);
        Want(base + name + "/__init__.py", "imported", importer.depth + 1);
      }
    }
  }

  const Details& details_;
  const std::string& sha_;
  RepositoryReader& repository_;
  std::deque<Wanted> wanted_;
  std::set<std::string> seen_;
  Json files_ = Json::EmptyArray();
  size_t count_ = 0, bytes_ = 0, left_out_ = 0;
};

}  // namespace

Status ExportMaterial(const Details& details, const std::string& sha, RepositoryReader& repository, RunStore& store) {
  return Export(details, sha, repository).WriteTo(store);
}

}  // namespace xpu_align
