#include "app/history_command.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "app/scan_history.h"
#include "audit/audit.h"
#include "edge/history/history_database.h"
#include "edge/store/run_directory.h"
#include "pipeline/gaps.h"
#include "pipeline/run_record.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

using Row = std::vector<std::string>;

void PrintTable(const std::vector<Row>& rows, std::ostream& out) {
  std::vector<size_t> widths(rows[0].size(), 0);
  for (const Row& row : rows)
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + (i + 1 < row.size() ? std::string(widths[i] - row[i].size() + 2, ' ') : "");
    out << line << "\n";
  }
}

Status PrintRuns(HistoryStore& history, const std::vector<HistoryRun>& runs, std::ostream& out) {
  std::vector<Row> table{{"window", "target", "events", "source", "outcome", "candidates", "done", "torch", "finished",
                          "repository", "directory"}};
  const auto word = [](const std::string& text) {
    return text.empty() ? std::string("-") : UntrustedText(text).ForLogLine(200);
  };
  for (const HistoryRun& run : runs) {
    TRY_ASSIGN(const auto rows, history.RowsOf(run.directory));
    const auto done = std::ranges::count(rows, Reached::kDone, &HistoryRow::reached);
    table.push_back({run.window.Name(), word(run.scope.target), word(run.events), word(run.scope.source),
                     std::string(Name(run.outcome)), std::to_string(rows.size()), std::to_string(done),
                     word(run.torch_version), word(run.finished_at), word(run.scope.repository), word(run.directory)});
  }
  PrintTable(table, out);
  return {};
}

// Of every scope and kind of events that has a run; up to and with yesterday.
void PrintGaps(const Plan& plan, const std::vector<HistoryRun>& runs, Date today, std::ostream& out) {
  std::map<std::pair<HistoryScope, std::string>, std::vector<HistoryRun>> alike;
  for (const HistoryRun& run : runs) alike[{run.scope, run.events}].push_back(run);
  bool any = false;
  for (const auto& [key, group] : alike) {
    Plan of_group = plan;
    of_group.repository = key.first.repository;
    of_group.target = key.first.target;
    of_group.events = EventsNamed(key.second).value_or(ItemEvents::kCreated);
    for (const Window& gap : GapsBefore(today, group)) {
      any = true;
      out << "gap: " << gap.Name() << " (" << UntrustedText(key.first.source).ForLogLine(40) << "): `"
          << RunCommandLine(of_group, gap) << "`\n";
    }
  }
  if (!any) out << "no gaps in the last " << kCatchUpDays << " days\n";
}

bool IsRunDirectory(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / paths::kManifest, error);
}

// A folder of run directories gives those of windows; what --fresh moved aside was replaced by a newer run.
std::vector<fs::path> RunDirectoriesIn(const fs::path& folder) {
  if (IsRunDirectory(folder)) return {folder};
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (Window::Named(it->path().filename().string()) && IsRunDirectory(it->path())) found.push_back(it->path());
  std::ranges::sort(found);
  return found;
}

Result<ExitCode> Rebuild(const Plan& plan, const std::vector<fs::path>& folders, Progress& progress,
                         std::ostream& out) {
  std::vector<HistoryRecord> records;
  std::set<std::string> seen;
  size_t rows = 0;
  for (const fs::path& folder : folders) {
    const auto directories = RunDirectoriesIn(folder);
    if (directories.empty()) progress.Warn("there is no run directory in " + folder.string());
    for (const fs::path& directory : directories) {
      if (!seen.insert(directory.string()).second) continue;
      const auto record = [&]() -> Result<std::optional<HistoryRecord>> {
        TRY_ASSIGN(const auto store, OpenRunDirectoryForReading(directory));
        return RecordOf(*store, directory.string(), [&] { return Audit(directory); });
      }();
      if (!record) progress.Warn(directory.string() + " is left out: " + record.error().message);
      if (!record || !*record) continue;
      rows += (*record)->rows.size();
      records.push_back(std::move(**record));
    }
  }
  TRY_ASSIGN(const OpenedHistory opened, OpenHistory(HistoryFile(plan)));
  if (!opened.moved_aside.empty()) progress.Warn(opened.moved_aside);
  TRY(opened.store->ReplaceAll(records));
  out << "history: " << records.size() << " runs, " << rows << " candidates: " << HistoryFile(plan).string() << "\n";
  return ExitCode::kComplete;
}

}  // namespace

Result<ExitCode> HistoryCommand(const Plan& plan, Clock& clock, Progress& progress, std::ostream& out) {
  if (!plan.arguments.empty()) {
    if (plan.arguments[0] != "rebuild")
      return Fail(ErrorKind::kUsage, "history takes nothing, or rebuild and run directories, not '" +
                                         UntrustedText(plan.arguments[0]).ForLogLine(40) + "'");
    std::vector<fs::path> folders;
    for (size_t i = 1; i < plan.arguments.size(); ++i) {
      fs::path folder = fs::absolute(plan.arguments[i]).lexically_normal();
      if (folder.filename().empty()) folder = folder.parent_path();  // a slash at the end
      std::error_code error;
      if (!fs::is_directory(folder, error))
        return Fail(ErrorKind::kUsage, "there is no folder " + folder.string());
      folders.push_back(std::move(folder));
    }
    if (folders.empty()) folders.push_back(plan.run_directory.parent_path());
    return Rebuild(plan, folders, progress, out);
  }
  std::error_code error;
  if (!fs::exists(HistoryFile(plan), error)) {
    out << "there is no history yet in " << plan.cache_dir.string()
        << "; `xpu-align run` begins one, `xpu-align history rebuild` makes it from run directories\n";
    return ExitCode::kComplete;
  }
  TRY_ASSIGN(const OpenedHistory opened, OpenHistory(HistoryFile(plan)));
  if (!opened.moved_aside.empty()) progress.Warn(opened.moved_aside);
  TRY_ASSIGN(const auto runs, opened.store->Runs());
  TRY(PrintRuns(*opened.store, runs, out));
  PrintGaps(plan, runs, DateOf(clock.NowSeconds()), out);
  return ExitCode::kComplete;
}

}  // namespace xpu_align
