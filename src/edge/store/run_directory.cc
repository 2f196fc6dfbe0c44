#include "edge/store/run_directory.h"

#include <algorithm>
#include <map>
#include <optional>

#include "edge/store/durable_file.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

class RunDirectory : public RunStore {
 public:
  explicit RunDirectory(fs::path root) : root_(std::move(root)) {}

  Result<std::string> Read(std::string_view path) override {
    TRY_ASSIGN(const fs::path full, Inside(path));
    return ReadFile(full);
  }

  Status Write(std::string_view path, std::string_view bytes) override {
    TRY_ASSIGN(const fs::path full, Inside(path));
    return ReplaceFile(full, bytes);
  }

  bool Exists(std::string_view path) override {
    const auto full = Inside(path);
    std::error_code error;
    return full && fs::is_regular_file(fs::symlink_status(*full, error));
  }

  std::vector<std::string> List(std::string_view folder) override {
    std::vector<std::string> names;
    const auto full = Inside(folder);
    if (!full) return names;
    std::error_code error;
    for (fs::directory_iterator it(*full, error), end; !error && it != end; it.increment(error))
      if (it->is_regular_file() && !it->is_symlink() && it->path().filename().string()[0] != '.')
        names.push_back(it->path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  Status Remove(std::string_view path) override {
    TRY_ASSIGN(const fs::path full, Inside(path));
    std::error_code error;
    fs::remove(full, error);
    if (error) return Fail(ErrorKind::kFileSystem, "can not remove " + full.string() + ": " + error.message());
    return {};
  }

  Result<std::vector<LedgerRow>> LoadLedger() override {
    auto bytes = Read(paths::kLedger);
    if (!bytes && bytes.error().kind == ErrorKind::kNotFound) return std::vector<LedgerRow>{};
    TRY(bytes);
    std::map<CandidateId, LedgerRow> rows;
    std::string_view rest = *bytes;
    for (int line_number = 1; !rest.empty(); ++line_number) {
      const size_t newline = rest.find('\n');
      if (newline == std::string_view::npos) break;  // torn: the row before it stands
      const std::string_view line = rest.substr(0, newline);
      rest.remove_prefix(newline + 1);
      if (line.empty()) continue;
      auto json = ParseJson(line);
      auto row = json ? LedgerRowFromJson(*json) : std::unexpected(json.error());
      if (!row)
        return Fail(Error{ErrorKind::kProtocol, row.error().message},
                    (root_ / paths::kLedger).string() + " line " + std::to_string(line_number));
      rows.insert_or_assign(row->id, std::move(*row));
    }
    std::vector<LedgerRow> sorted;
    for (auto& [id, row] : rows) sorted.push_back(std::move(row));
    return sorted;
  }

  Status Append(const LedgerRow& row, Durability durability) override {
    if (!ledger_) {
      // A torn last line must not swallow the row that follows it.
      TRY(DropTornLine());
      TRY_ASSIGN(AppendFile opened, AppendFile::Open(root_ / paths::kLedger));
      ledger_.emplace(std::move(opened));
    }
    TRY(ledger_->AppendLine(WriteJsonLine(ToJson(row))));
    return durability == Durability::kNow ? ledger_->Sync() : Status{};
  }

  Status CompactLedger() override {
    TRY_ASSIGN(const std::vector<LedgerRow> rows, LoadLedger());
    std::string bytes;
    for (const LedgerRow& row : rows) bytes += WriteJsonLine(ToJson(row)) + "\n";
    ledger_.reset();  // the open file would be the old one after the rename
    return ReplaceFile(root_ / paths::kLedger, bytes);
  }

 private:
  Result<fs::path> Inside(std::string_view path) const {
    const fs::path relative(path);
    bool inside = !relative.empty() && relative.is_relative();
    for (const fs::path& part : relative) inside = inside && part != "..";
    if (!inside) return Fail(ErrorKind::kFileSystem, "not a path inside the run directory: " + std::string(path));
    return root_ / relative;
  }

  Status DropTornLine() {
    auto bytes = Read(paths::kLedger);
    if (!bytes) return bytes.error().kind == ErrorKind::kNotFound ? Status{} : std::unexpected(bytes.error());
    if (bytes->empty() || bytes->back() == '\n') return {};
    const size_t newline = bytes->rfind('\n');
    bytes->resize(newline == std::string::npos ? 0 : newline + 1);
    return ReplaceFile(root_ / paths::kLedger, *bytes);
  }

  fs::path root_;
  std::optional<AppendFile> ledger_;
};

}  // namespace

Result<std::unique_ptr<RunStore>> OpenRunDirectory(const fs::path& directory) {
  std::error_code error;
  for (const char* folder : {"artifacts", "artifacts/details", "artifacts/compositions", "artifacts/evidence",
                             "scripts", "reports"}) {
    fs::create_directories(directory / folder, error);
    if (error)
      return Fail(ErrorKind::kFileSystem, "can not make the run directory " + (directory / folder).string() + ": " +
                                              error.message() + "; choose another --workspace or fix its permissions");
  }
  return std::make_unique<RunDirectory>(directory);
}

Result<std::unique_ptr<RunStore>> OpenRunDirectoryForReading(const fs::path& directory) {
  std::error_code error;
  if (!fs::is_directory(directory, error))
    return Fail(ErrorKind::kNotFound, "there is no run directory " + directory.string());
  return std::make_unique<RunDirectory>(directory);
}

}  // namespace xpu_align
