#include "edge/history/history_database.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "edge/history/sqlite.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;
using history::Database;
using history::Statement;
using history::Transaction;

constexpr int kPatienceMillis = 10'000;
constexpr int64_t kApplication = 0x78706168;  // "xpah": tells our files from other programs'
constexpr int64_t kVersion = 1;

// `reached`, `bucket` and the like are the names of src/model; times are RFC 3339; empty text: not known.
constexpr const char* kSchema = R"(
  CREATE TABLE runs (
    run INTEGER PRIMARY KEY, directory TEXT NOT NULL UNIQUE,
    repository TEXT NOT NULL, target TEXT NOT NULL, source TEXT NOT NULL,
    first_day TEXT NOT NULL, last_day TEXT NOT NULL, events TEXT NOT NULL, outcome TEXT NOT NULL,
    torch_version TEXT NOT NULL, build TEXT NOT NULL, version TEXT NOT NULL,
    started_at TEXT NOT NULL, finished_at TEXT NOT NULL) STRICT;
  CREATE TABLE rows (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, candidate TEXT NOT NULL,
    reached TEXT NOT NULL, bucket TEXT NOT NULL, verdict TEXT NOT NULL,
    updated_at TEXT NOT NULL, merged_at TEXT NOT NULL, text_sha256 TEXT NOT NULL, details_sha256 TEXT NOT NULL,
    PRIMARY KEY (run, candidate)) STRICT, WITHOUT ROWID;
  CREATE INDEX rows_by_candidate ON rows (candidate);)";

constexpr const char* kRunColumns =
    "directory, repository, target, source, first_day, last_day, events, outcome, torch_version, build, version, "
    "started_at, finished_at";
constexpr int kRunColumnCount = 13;
constexpr const char* kRowColumns =
    "candidate, reached, bucket, verdict, updated_at, merged_at, text_sha256, details_sha256";

// One process at a time begins a file or moves a damaged one aside. The folder is the lock: no further file.
class FolderLock {
 public:
  static Result<FolderLock> Take(const fs::path& folder) {
    FolderLock lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    int result = -1;
    if (lock.fd_ >= 0) {
      do {
        result = ::flock(lock.fd_, LOCK_EX);
      } while (result != 0 && errno == EINTR);
    }
    if (result != 0) return Fail(ErrorKind::kFileSystem, "can not lock " + folder.string() + ": " + std::strerror(errno));
    return lock;
  }
  FolderLock(FolderLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock() {
    if (fd_ >= 0) ::close(fd_);
  }

 private:
  explicit FolderLock(int fd) : fd_(fd) {}
  int fd_;
};

template <typename T>
std::string NameOf(const std::optional<T>& value) {
  return value ? std::string(Name(*value)) : std::string();
}

Error Unreadable(const Database& database, const std::string& what) {
  return {ErrorKind::kFileSystem, "the history " + database.Path().string() + " is damaged (" +
                                      UntrustedText(what).ForLogLine(120) +
                                      "); `xpu-align history rebuild` makes it anew"};
}

Result<HistoryRun> RunAt(const Database& database, const Statement& row, int at = 0) {
  HistoryRun run;
  run.directory = row.Text(at);
  run.scope = {row.Text(at + 1), row.Text(at + 2), row.Text(at + 3)};
  const auto first = ParseDate(row.Text(at + 4)), last = ParseDate(row.Text(at + 5));
  const auto outcome = RunOutcomeNamed(row.Text(at + 7));
  if (!first || !last || !outcome) return std::unexpected(Unreadable(database, "run " + run.directory));
  run.window = {*first, *last};
  run.events = row.Text(at + 6);
  run.outcome = *outcome;
  run.torch_version = row.Text(at + 8);
  run.build = row.Text(at + 9);
  run.version = row.Text(at + 10);
  run.started_at = row.Text(at + 11);
  run.finished_at = row.Text(at + 12);
  return run;
}

Result<HistoryRow> RowAt(const Database& database, const Statement& statement, int at = 0) {
  const auto id = CandidateId::Parse(statement.Text(at));
  const auto reached = ReachedNamed(statement.Text(at + 1));
  if (!id || !reached) return std::unexpected(Unreadable(database, "candidate " + statement.Text(at)));
  HistoryRow row{.id = *id, .reached = *reached};
  row.bucket = BucketNamed(statement.Text(at + 2));
  row.verdict = VerdictNamed(statement.Text(at + 3));
  row.updated_at = statement.Text(at + 4);
  row.merged_at = statement.Text(at + 5);
  row.text_sha256 = statement.Text(at + 6);
  row.details_sha256 = statement.Text(at + 7);
  return row;
}

class HistoryDatabase : public HistoryStore {
 public:
  explicit HistoryDatabase(std::unique_ptr<Database> database) : database_(std::move(database)) {}

  Status Record(const HistoryRecord& record) override {
    return Say([&]() -> Status {
      TRY_ASSIGN(Transaction transaction, Transaction::Begin(*database_));
      TRY_ASSIGN(Statement forget, database_->Prepare("DELETE FROM runs WHERE directory = ?1"));
      forget.Bind(1, record.run.directory);
      TRY(forget.Run());
      TRY(Insert(record));
      return transaction.Commit();
    }());
  }

  Status ReplaceAll(std::span<const HistoryRecord> records) override {
    return Say([&]() -> Status {
      TRY_ASSIGN(Transaction transaction, Transaction::Begin(*database_));
      TRY(database_->Execute("DELETE FROM runs"));
      for (const HistoryRecord& record : records) TRY(Insert(record));
      return transaction.Commit();
    }());
  }

  Result<bool> Knows(const std::string& directory) override {
    return Say([&]() -> Result<bool> {
      TRY_ASSIGN(Statement find, database_->Prepare("SELECT 1 FROM runs WHERE directory = ?1"));
      find.Bind(1, directory);
      return find.Step();
    }());
  }

  Result<std::vector<HistoryRun>> Runs() override {
    return Say([&]() -> Result<std::vector<HistoryRun>> {
      TRY_ASSIGN(Statement select, database_->Prepare("SELECT " + std::string(kRunColumns) +
                                                      " FROM runs ORDER BY repository, target, source, first_day, "
                                                      "last_day, directory"));
      std::vector<HistoryRun> runs;
      while (true) {
        TRY_ASSIGN(const bool more, select.Step());
        if (!more) return runs;
        TRY_ASSIGN(HistoryRun run, RunAt(*database_, select));
        runs.push_back(std::move(run));
      }
    }());
  }

  Result<std::vector<HistoryRow>> RowsOf(const std::string& directory) override {
    return Say([&]() -> Result<std::vector<HistoryRow>> {
      TRY_ASSIGN(Statement select,
                 database_->Prepare("SELECT " + std::string(kRowColumns) +
                                    " FROM rows JOIN runs ON runs.run = rows.run WHERE directory = ?1"));
      select.Bind(1, directory);
      std::vector<HistoryRow> rows;
      while (true) {
        TRY_ASSIGN(const bool more, select.Step());
        if (!more) break;
        TRY_ASSIGN(HistoryRow row, RowAt(*database_, select));
        rows.push_back(std::move(row));
      }
      std::ranges::sort(rows, {}, &HistoryRow::id);  // SQL would put issue-10 before issue-9
      return rows;
    }());
  }

  Result<std::vector<HistoryEntry>> Find(std::string_view repository, std::string_view source,
                                         std::span<const CandidateId> candidates) override {
    return Say([&]() -> Result<std::vector<HistoryEntry>> {
      TRY_ASSIGN(Statement select,
                 database_->Prepare("SELECT " + std::string(kRunColumns) + ", " + std::string(kRowColumns) +
                                    " FROM rows JOIN runs ON runs.run = rows.run WHERE candidate = ?1 AND repository "
                                    "= ?2 AND source = ?3 ORDER BY last_day DESC, first_day DESC, target, directory"));
      std::vector<HistoryEntry> entries;
      for (const CandidateId& id : candidates) {
        select.Bind(1, id.Text());
        select.Bind(2, repository);
        select.Bind(3, source);
        while (true) {
          TRY_ASSIGN(const bool more, select.Step());
          if (!more) break;
          TRY_ASSIGN(HistoryRun run, RunAt(*database_, select));
          TRY_ASSIGN(HistoryRow row, RowAt(*database_, select, kRunColumnCount));
          entries.push_back({std::move(run), std::move(row)});
        }
      }
      return entries;
    }());
  }

 private:
  Status Insert(const HistoryRecord& record) {
    const HistoryRun& run = record.run;
    TRY_ASSIGN(Statement add_run,
               database_->Prepare("INSERT INTO runs (" + std::string(kRunColumns) +
                                  ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) RETURNING run"));
    int index = 0;
    for (const std::string& value :
         {run.directory, run.scope.repository, run.scope.target, run.scope.source, FormatDate(run.window.start),
          FormatDate(run.window.end), run.events, std::string(Name(run.outcome)), run.torch_version, run.build,
          run.version, run.started_at, run.finished_at})
      add_run.Bind(++index, value);
    TRY_ASSIGN(const bool added, add_run.Step());
    CHECK(added);
    const int64_t key = add_run.Number(0);
    TRY_ASSIGN(const bool more, add_run.Step());
    CHECK(!more);
    TRY_ASSIGN(Statement add_row,
               database_->Prepare("INSERT INTO rows (run, " + std::string(kRowColumns) +
                                  ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"));
    for (const HistoryRow& row : record.rows) {
      add_row.Bind(1, key);
      index = 1;
      for (const std::string& value : {row.id.Text(), std::string(Name(row.reached)), NameOf(row.bucket),
                                       NameOf(row.verdict), row.updated_at, row.merged_at, row.text_sha256,
                                       row.details_sha256})
        add_row.Bind(++index, value);
      TRY(add_row.Run());
    }
    return {};
  }

  // Damage that shows itself only now is a file that can not be used, with what to do about it.
  template <typename T>
  static T Say(T result) {
    if (!result && history::IsDamage(result.error()))
      return Fail(ErrorKind::kFileSystem, result.error().message + "; `xpu-align history rebuild` makes it anew");
    return result;
  }

  std::unique_ptr<Database> database_;
};

// kProtocol: damaged; kConfig: not ours.
Result<std::unique_ptr<Database>> OpenSound(const fs::path& file, history::IfMissing if_missing) {
  TRY_ASSIGN(auto database, Database::Open(file, if_missing, kPatienceMillis));
  TRY_ASSIGN(const int64_t application, database->Number("PRAGMA application_id"));
  TRY_ASSIGN(const int64_t version, database->Number("PRAGMA user_version"));
  TRY_ASSIGN(const int64_t tables, database->Number("SELECT count(*) FROM sqlite_schema"));
  if (application != kApplication && (application != 0 || tables != 0))
    return Fail(ErrorKind::kConfig, file.string() + " is no history of xpu-align; move it away, or name another --cache-dir");
  if (version > kVersion)
    return Fail(ErrorKind::kConfig, "the history " + file.string() + " was written by a newer xpu-align (version " +
                                        std::to_string(version) + ", this one knows " + std::to_string(kVersion) +
                                        "); use that one, or delete the file and run `xpu-align history rebuild`");
  TRY_ASSIGN(const std::string check, database->Text("PRAGMA quick_check(1)"));
  if (check != "ok")
    return Fail(ErrorKind::kProtocol, "the history " + file.string() + " is damaged (" +
                                          UntrustedText(check).ForLogLine(120) + ")");
  TRY(database->Execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL"));
  return database;
}

bool IsBegun(Database& database) {
  const auto version = database.Number("PRAGMA user_version");
  return version && *version == kVersion;
}

// Under the folder's lock.
Status Begin(Database& database) {
  if (IsBegun(database)) return {};
  TRY(database.Execute("PRAGMA journal_mode = WAL"));
  TRY_ASSIGN(Transaction transaction, Transaction::Begin(database));
  TRY(database.Execute(kSchema));
  TRY(database.Execute(("PRAGMA application_id = " + std::to_string(kApplication) +
                        "; PRAGMA user_version = " + std::to_string(kVersion))
                           .c_str()));
  return transaction.Commit();
}

// The log files belong to the database that is moved; beside a new one they would be taken for its own.
Result<std::string> MoveAside(const fs::path& file, const std::string& why) {
  fs::path aside;
  std::error_code error;
  for (int number = 1; number == 1 || fs::exists(aside, error); ++number)
    aside = file.string() + ".damaged" + std::to_string(number);
  for (const char* suffix : {"", "-wal", "-shm"}) {
    if (!fs::exists(file.string() + suffix, error)) continue;
    fs::rename(file.string() + suffix, aside.string() + suffix, error);
    if (error) return Fail(ErrorKind::kFileSystem, why + " and can not be moved aside: " + error.message());
  }
  return why + "; it is now " + aside.filename().string() +
         " and a new one is begun, which `xpu-align history rebuild` fills from the run directories";
}

}  // namespace

Result<OpenedHistory> OpenHistory(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error)
    return Fail(ErrorKind::kFileSystem, "can not make " + file.parent_path().string() + ": " + error.message());
  // The ordinary case needs no lock.
  if (auto database = OpenSound(file, history::IfMissing::kFail); database && IsBegun(**database)) {
    return OpenedHistory{std::make_unique<HistoryDatabase>(std::move(*database))};
  } else if (!database && database.error().kind == ErrorKind::kConfig) {
    return std::unexpected<Error>(database.error());
  }
  TRY_ASSIGN(const FolderLock lock, FolderLock::Take(file.parent_path()));
  OpenedHistory opened;
  auto database = OpenSound(file, history::IfMissing::kCreate);  // another process may have begun it meanwhile
  if (!database && history::IsDamage(database.error())) {
    TRY_ASSIGN(opened.moved_aside, MoveAside(file, database.error().message));
    database = OpenSound(file, history::IfMissing::kCreate);
  }
  if (!database) return std::unexpected<Error>(database.error());
  TRY(Begin(**database));
  opened.store = std::make_unique<HistoryDatabase>(std::move(*database));
  return opened;
}

}  // namespace xpu_align
