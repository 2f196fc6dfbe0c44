#include "edge/history/history_database.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

class HistoryDatabaseTest : public testing::Test {
 protected:
  HistoryDatabaseTest()
      : folder_(fs::temp_directory_path() / ("history_database_test." + std::to_string(::getpid()) + "." +
                                             testing::UnitTest::GetInstance()->current_test_info()->name())),
        file_(folder_ / "cache" / "history.db") {
    fs::remove_all(folder_);
  }
  ~HistoryDatabaseTest() override { fs::remove_all(folder_); }

  std::unique_ptr<HistoryStore> Open(const std::string& said = "") {
    auto opened = OpenHistory(file_);
    EXPECT_TRUE(opened) << opened.error().message;
    if (!opened) return nullptr;
    EXPECT_EQ(opened->moved_aside.empty(), said.empty()) << opened->moved_aside;
    EXPECT_TRUE(opened->moved_aside.contains(said)) << opened->moved_aside;
    return std::move(opened->store);
  }
  void Sql(const char* statement) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(file_.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, statement, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  fs::path folder_, file_;
};

HistoryRecord Record(const std::string& directory, const char* day = "2026-11-25", size_t rows = 2,
                     const std::string& stamp = "aa") {
  HistoryRecord record{.run = {.directory = directory, .scope = {"pytorch/pytorch", "xpu", "live"},
                               .window = Window::Day(*ParseDate(day)), .events = "created"}};
  record.run.outcome = RunOutcome::kComplete;
  record.run.torch_version = "2.15";
  record.run.build = std::string(40, 'b');
  record.run.version = "0.1.0";
  record.run.started_at = "2026-11-26T02:00:00Z";
  record.run.finished_at = "2026-11-26T04:00:00Z";
  for (size_t i = 0; i < rows; ++i) {
    HistoryRow row{.id = CandidateId::OfIssue(static_cast<int64_t>(i) + 9)};  // 9, 10: SQL sorts them the other way round
    row.reached = i % 2 ? Reached::kDone : Reached::kPending;
    if (i % 2) row.bucket = Bucket::kConfirmed, row.verdict = Verdict::kTrackUpstream;
    row.updated_at = "2026-11-25T10:00:00Z";
    row.text_sha256 = stamp;
    row.details_sha256 = "dd";
    record.rows.push_back(row);
  }
  return record;
}

// What is there, of all runs.
std::vector<HistoryRecord> Everything(HistoryStore& store) {
  std::vector<HistoryRecord> records;
  std::vector<HistoryRun> runs = store.Runs().value();
  for (HistoryRun& run : runs) {
    auto rows = store.RowsOf(run.directory).value();
    records.push_back({std::move(run), std::move(rows)});
  }
  return records;
}

// Runs `body` in a child process. The children of one test share the file and nothing else.
pid_t Child(const std::function<bool()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(body() ? 0 : 1);
  return pid;
}

TEST_F(HistoryDatabaseTest, ARunReadsBackAsItWasRecorded) {
  HistoryRecord record = Record("/w/a");
  record.rows[0].merged_at = "2026-11-25T12:00:00Z";
  ASSERT_TRUE(Open()->Record(record));
  const auto store = Open();
  EXPECT_EQ(Everything(*store), std::vector{record});
  EXPECT_TRUE(store->Knows("/w/a").value());
  EXPECT_FALSE(store->Knows("/w").value());
  EXPECT_TRUE(store->RowsOf("/w/b").value().empty());
}

TEST_F(HistoryDatabaseTest, TheSameDirectoryIsReplacedAsAWhole) {
  const auto store = Open();
  ASSERT_TRUE(store->Record(Record("/w/a", "2026-11-25", 5)));
  ASSERT_TRUE(store->Record(Record("/w/b", "2026-11-24")));
  ASSERT_TRUE(store->Record(Record("/w/a", "2026-11-25", 1)));
  EXPECT_EQ(Everything(*store), (std::vector{Record("/w/b", "2026-11-24"), Record("/w/a", "2026-11-25", 1)}));
  ASSERT_TRUE(store->ReplaceAll(std::vector{Record("/w/c")}));
  EXPECT_EQ(Everything(*store), std::vector{Record("/w/c")});
}

TEST_F(HistoryDatabaseTest, FindGivesTheNewestWindowFirstAndKeepsScopesApart) {
  const auto store = Open();
  HistoryRecord cuda = Record("/w/cuda"), demo = Record("/w/demo", "2026-11-28"), other = Record("/w/other", "2026-11-28");
  cuda.run.scope.target = "cuda";
  demo.run.scope.source = "demo";
  other.run.scope.repository = "o/r";
  for (const HistoryRecord& record : {Record("/w/a", "2026-11-24"), Record("/w/b", "2026-11-26"), cuda, demo, other})
    ASSERT_TRUE(store->Record(record));
  const std::vector ids{CandidateId::OfIssue(9), CandidateId::OfIssue(77)};
  std::string directories;
  const std::vector<HistoryEntry> found = store->Find("pytorch/pytorch", "live", ids).value();
  for (const HistoryEntry& entry : found) {
    EXPECT_EQ(entry.row.id, ids[0]);
    directories += entry.run.directory + " ";
  }
  EXPECT_EQ(directories, "/w/b /w/cuda /w/a ");
}

TEST_F(HistoryDatabaseTest, WordsFromElsewhereAreValuesAndNeverStatements) {
  const auto store = Open();
  const HistoryRecord record = Record("/w/'); DROP TABLE runs; --");
  ASSERT_TRUE(store->Record(record));
  EXPECT_EQ(Everything(*store), std::vector{record});
}

TEST_F(HistoryDatabaseTest, AnEmptyFileIsBegun) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_).close();
  ASSERT_TRUE(Open()->Record(Record("/w/a")));
}

TEST_F(HistoryDatabaseTest, AFileThatIsNoDatabaseIsMovedAside) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_) << std::string(5000, 'x');
  const auto store = Open("history.db.damaged1");
  ASSERT_TRUE(store->Record(Record("/w/a")));
  EXPECT_EQ(fs::file_size(file_.string() + ".damaged1"), 5000u);
}

TEST_F(HistoryDatabaseTest, ABrokenDatabaseIsMovedAsideAndAnEarlierOneIsKept) {
  ASSERT_TRUE(Open()->Record(Record("/w/a", "2026-11-25", 2000)));
  Sql("PRAGMA wal_checkpoint(TRUNCATE)");
  std::ofstream(file_.string() + ".damaged1") << "earlier";
  {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);  // behind the first page, which stays readable
    file << std::string(20'000, '\xff');
  }
  const auto store = Open("history.db.damaged2");
  EXPECT_TRUE(Everything(*store).empty());
  EXPECT_EQ(fs::file_size(file_.string() + ".damaged1"), 7u);
}

TEST_F(HistoryDatabaseTest, ANewerVersionIsRefusedAndLeftAlone) {
  ASSERT_TRUE(Open()->Record(Record("/w/a")));
  Sql("PRAGMA user_version = 2");
  const auto opened = OpenHistory(file_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::kConfig);
  EXPECT_TRUE(opened.error().message.contains("newer xpu-align (version 2, this one knows 1)")) << opened.error().message;
  Sql("PRAGMA user_version = 1");
  EXPECT_EQ(Everything(*Open()).size(), 1u);
}

TEST_F(HistoryDatabaseTest, TheDatabaseOfAnotherProgramIsRefused) {
  fs::create_directories(file_.parent_path());
  Sql("CREATE TABLE bookmarks (url TEXT)");
  const auto opened = OpenHistory(file_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::kConfig);
  EXPECT_TRUE(opened.error().message.contains("no history of xpu-align")) << opened.error().message;
}

TEST_F(HistoryDatabaseTest, AFolderInItsPlaceIsOneSentence) {
  fs::create_directories(file_);
  const auto opened = OpenHistory(file_);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, ErrorKind::kFileSystem);
  EXPECT_TRUE(opened.error().message.contains("history.db can not be used")) << opened.error().message;
}

TEST_F(HistoryDatabaseTest, AValueThatNoVersionWroteIsDamage) {
  const auto store = Open();
  ASSERT_TRUE(store->Record(Record("/w/a")));
  Sql("UPDATE runs SET outcome = 'splendid'");
  const auto runs = store->Runs();
  ASSERT_FALSE(runs);
  EXPECT_TRUE(runs.error().message.contains("`xpu-align history rebuild` makes it anew")) << runs.error().message;
}

// All begin the file at the same time, too.
TEST_F(HistoryDatabaseTest, WritersInSeveralProcessesLoseNothing) {
  constexpr int kWriters = 4, kRuns = 10;
  std::vector<pid_t> children;
  for (int writer = 0; writer < kWriters; ++writer)
    children.push_back(Child([&] {
      for (int run = 0; run < kRuns; ++run) {
        const auto opened = OpenHistory(file_);
        const std::string directory = "/w/" + std::to_string(writer) + "." + std::to_string(run);
        if (!opened || !opened->moved_aside.empty() || !opened->store->Record(Record(directory, "2026-11-25", 50))) return false;
      }
      return true;
    }));
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const auto records = Everything(*Open());
  EXPECT_EQ(records.size(), static_cast<size_t>(kWriters * kRuns));
  for (const HistoryRecord& record : records) EXPECT_EQ(record, Record(record.run.directory, "2026-11-25", 50));
}

// Killed while it writes: the file is sound, and the run is one of those that were written, as a whole.
TEST_F(HistoryDatabaseTest, AKilledWriterLeavesAWholeRun) {
  const auto stamp = [](int number) { return std::string(static_cast<size_t>(number), 'a'); };
  for (int kill_after = 1; kill_after <= 15; ++kill_after) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = Child([&] {
      const auto opened = OpenHistory(file_);
      for (int number = 1; opened; ++number) {
        if (!opened->store->Record(Record("/w/a", "2026-11-25", 400, stamp(number)))) return false;
        if (::write(ends[1], "x", 1) != 1) return false;
      }
      return false;
    });
    ::close(ends[1]);
    char byte = 0;
    for (int written = 0; written < kill_after; ++written) ASSERT_EQ(::read(ends[0], &byte, 1), 1);
    ::kill(child, SIGKILL);  // it is on its way into the next one
    ::waitpid(child, nullptr, 0);
    ::close(ends[0]);
    const auto records = Everything(*Open());
    ASSERT_EQ(records.size(), 1u);
    const std::string found = records[0].rows[0].text_sha256;
    EXPECT_GE(found.size(), static_cast<size_t>(kill_after));
    EXPECT_EQ(records[0], Record("/w/a", "2026-11-25", 400, found));
  }
}

}  // namespace
}  // namespace xpu_align
