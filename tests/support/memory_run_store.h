// MemoryRunStore: a RunStore of tests, path -> bytes and rows in the order of their appends. Strict as the
// real one: paths stay inside, rows go through their JSON form, the ledger changes by Append and Compact only.
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "json/json.h"
#include "ports/run_store.h"

namespace xpu_align {

class MemoryRunStore : public RunStore {
 public:
  Result<std::string> Read(std::string_view path) override {
    TRY(Inside(path));
    if (path == paths::kLedger && !ledger_.empty()) return LedgerBytes();
    const auto file = files_.find(path);
    if (file == files_.end()) return Fail(ErrorKind::kNotFound, "no file " + std::string(path));
    return file->second;
  }

  Status Write(std::string_view path, std::string_view bytes) override {
    TRY(Inside(path));
    if (path == paths::kLedger) return Fail(ErrorKind::kFileSystem, "the ledger is written by Append only");
    files_.insert_or_assign(std::string(path), std::string(bytes));
    return {};
  }

  bool Exists(std::string_view path) override { return Read(path).has_value(); }

  std::vector<std::string> List(std::string_view folder) override {
    std::vector<std::string> names;
    const std::string prefix = std::string(folder) + "/";
    for (const auto& [path, bytes] : files_)
      if (path.starts_with(prefix) && path.find('/', prefix.size()) == std::string::npos)
        names.push_back(path.substr(prefix.size()));
    return names;
  }

  Status Remove(std::string_view path) override {
    TRY(Inside(path));
    if (const auto file = files_.find(path); file != files_.end()) files_.erase(file);
    return {};
  }

  Result<std::vector<LedgerRow>> LoadLedger() override {
    std::map<CandidateId, LedgerRow> last;
    for (const LedgerRow& row : ledger_) last.insert_or_assign(row.id, row);
    std::vector<LedgerRow> rows;
    for (auto& [id, row] : last) rows.push_back(std::move(row));
    return rows;
  }

  // Refuses a row that could not be read back.
  Status Append(const LedgerRow& row, Durability) override {
    TRY_ASSIGN(LedgerRow read_back, LedgerRowFromJson(ToJson(row)));
    ledger_.push_back(std::move(read_back));
    return {};
  }

  Status CompactLedger() override {
    TRY_ASSIGN(ledger_, LoadLedger());
    return {};
  }

  // For assertions and for worlds made by hand.
  std::map<std::string, std::string, std::less<>>& files() { return files_; }
  // Every row as appended since the last CompactLedger.
  const std::vector<LedgerRow>& appended() const { return ledger_; }
  // The row of `id` as a reader sees it now; the id must have one.
  LedgerRow Row(std::string_view id) const {
    const auto row = std::find_if(ledger_.rbegin(), ledger_.rend(), [&](const auto& r) { return r.id.Text() == id; });
    CHECK(row != ledger_.rend());
    return *row;
  }
  Json ReadJson(std::string_view path) {
    auto bytes = Read(path);
    CHECK(bytes.has_value());
    auto json = ParseJson(*bytes);
    CHECK(json.has_value());
    return *json;
  }

 private:
  static Status Inside(std::string_view path) {
    bool inside = !path.empty() && path.front() != '/';
    for (size_t begin = 0; begin <= path.size();) {
      const size_t end = std::min(path.find('/', begin), path.size());
      inside = inside && path.substr(begin, end - begin) != "..";
      begin = end + 1;
    }
    if (!inside) return Fail(ErrorKind::kFileSystem, "not a path inside the run directory: " + std::string(path));
    return {};
  }

  std::string LedgerBytes() const {
    std::string bytes;
    for (const LedgerRow& row : ledger_) bytes += WriteJsonLine(ToJson(row)) + "\n";
    return bytes;
  }

  std::map<std::string, std::string, std::less<>> files_;
  std::vector<LedgerRow> ledger_;
};

}  // namespace xpu_align
