// A database file and its statements: SQLite without its hand-written clean-up. Values are bound, never written into
// a statement's text. Failures say what SQLite says; the damage of a file is told apart from all others.
// Used by history_database.cc only.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "text/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace xpu_align::history {

class Statement {
 public:
  // 1-based, as SQLite counts.
  void Bind(int index, std::string_view text);
  void Bind(int index, int64_t number);
  // True: there is a row to read. False: the statement is through, and ready to be bound and stepped again.
  Result<bool> Step();
  // For statements without rows.
  Status Run();
  std::string Text(int column) const;  // 0-based; empty for NULL
  int64_t Number(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3* database, sqlite3_stmt* statement, const std::filesystem::path* path)
      : database_(database), statement_(statement), path_(path) {}
  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const std::filesystem::path* path_;  // of the database, for messages
};

enum class IfMissing { kCreate, kFail };

class Database {
 public:
  // Waits for other processes up to `patience_millis` in every later call.
  static Result<std::unique_ptr<Database>> Open(const std::filesystem::path& path, IfMissing if_missing,
                                                int patience_millis);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  Result<Statement> Prepare(std::string_view sql);
  // One or more statements without values and rows.
  Status Execute(const char* sql);
  // The first column of the first row.
  Result<int64_t> Number(std::string_view sql);
  Result<std::string> Text(std::string_view sql);

  const std::filesystem::path& Path() const { return path_; }

 private:
  Database(sqlite3* database, std::filesystem::path path) : database_(database), path_(std::move(path)) {}
  sqlite3* database_;
  std::filesystem::path path_;
};

// Rolls back unless committed.
class Transaction {
 public:
  // Takes the write lock at once: two writers wait for each other instead of failing half way.
  static Result<Transaction> Begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  Status Commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;
};

// The file is no database or a broken one (kProtocol), as opposed to one that can not be used now (kFileSystem).
inline bool IsDamage(const Error& error) { return error.kind == ErrorKind::kProtocol; }

}  // namespace xpu_align::history
