#include "audit/records.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "text/pattern.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxFileBytes = 256u << 20;

// issue < pr < commit; numbers by value, so that issue-9 stands before issue-10.
struct ReadingOrder {
  static int Kind(const std::string& id) { return id.starts_with("issue-") ? 0 : id.starts_with("pr-") ? 1 : 2; }
  bool operator()(const std::string& a, const std::string& b) const {
    const size_t length_a = Kind(a) == 2 ? 0 : a.size(), length_b = Kind(b) == 2 ? 0 : b.size();
    return std::tuple(Kind(a), length_a, a) < std::tuple(Kind(b), length_b, b);
  }
};

AuditedRow RowFrom(Json json) {
  AuditedRow row{.id = json.StringOr("id"),
                 .title_status = json.StringOr("title_status"),
                 .deep_status = json.StringOr("deep_status"),
                 .local_status = json.StringOr("local_status"),
                 .bucket = json.StringOr("local_bucket")};
  row.json = std::move(json);
  return row;
}

std::optional<std::string> ReadRegularFile(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error)) || fs::file_size(path, error) > kMaxFileBytes || error)
    return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

bool IsAuditedId(std::string_view text) {
  static const Pattern id = Pattern::Constant(R"(^(issue-[1-9][0-9]{0,17}|pr-[1-9][0-9]{0,17}|commit-[0-9a-f]{12})$)");
  return id.FoundIn(text);
}

std::optional<std::string> ReadInside(const AuditedRun& run, const std::string& path) {
  fs::path full = run.directory;
  std::error_code error;
  const fs::path relative(path);
  if (relative.empty() || relative.is_absolute()) return std::nullopt;
  for (const fs::path& part : relative) {
    if (part == ".." || fs::is_symlink(fs::symlink_status(full /= part, error))) return std::nullopt;
  }
  return ReadRegularFile(full);
}

Json ReadJsonInside(const AuditedRun& run, const std::string& path) {
  const auto bytes = ReadInside(run, path);
  auto json = bytes ? ParseJson(*bytes) : Fail(ErrorKind::kNotFound, path);
  return json ? std::move(*json) : Json();
}

Result<AuditedRun> ReadRun(const fs::path& directory, std::vector<AuditFinding>* findings) {
  AuditedRun run{.directory = directory};
  std::error_code error;
  if (!fs::is_directory(directory, error))
    return Fail(ErrorKind::kFileSystem, "no run directory at " + directory.string());
  const auto ledger = ReadInside(run, "artifacts/candidate_ledger.jsonl");
  if (!ledger)
    return Fail(ErrorKind::kFileSystem, "can not read artifacts/candidate_ledger.jsonl in " + directory.string());

  std::map<std::string, AuditedRow, ReadingOrder> rows;
  std::string_view rest = *ledger;
  for (int number = 1; rest.contains('\n'); ++number) {  // a last line without a newline is torn and does not count
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    if (line.empty()) continue;
    auto json = ParseJson(line);
    if (!json || !IsAuditedId(json->StringOr("id"))) {
      findings->push_back({"ids", "line " + std::to_string(number) + " of the ledger is no row of a candidate"});
      continue;
    }
    AuditedRow row = RowFrom(std::move(*json));
    rows.insert_or_assign(row.id, std::move(row));
  }
  for (auto& [id, row] : rows) run.rows.push_back(std::move(row));
  run.raw = ReadJsonInside(run, "artifacts/raw_candidates.json");
  run.environment = ReadJsonInside(run, "artifacts/environment.json");
  run.manifest = ReadJsonInside(run, "artifacts/manifest.json");
  return run;
}

}  // namespace xpu_align
