#include "edge/history/sqlite.h"

#include <sqlite3.h>

namespace xpu_align::history {
namespace {

Error ErrorOf(sqlite3* database, int code, const std::filesystem::path& path) {
  const int primary = code & 0xff;
  const bool damaged = primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
  const char* words = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  return {damaged ? ErrorKind::kProtocol : ErrorKind::kFileSystem,
          "the history " + path.string() + (damaged ? " is damaged (" : " can not be used (") + words + ")"};
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::Bind(int index, std::string_view text) {
  CHECK(sqlite3_bind_text64(statement_.get(), index, text.data() != nullptr ? text.data() : "", text.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_OK);
}

void Statement::Bind(int index, int64_t number) {
  CHECK(sqlite3_bind_int64(statement_.get(), index, number) == SQLITE_OK);
}

Result<bool> Statement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  // What it answers is what the step answered.
  sqlite3_reset(statement_.get());
  if (code == SQLITE_DONE) return false;
  return std::unexpected(ErrorOf(database_, code, *path_));
}

Status Statement::Run() {
  TRY_ASSIGN(const bool row, Step());
  CHECK(!row);
  return {};
}

std::string Statement::Text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (bytes == nullptr) return {};
  return std::string(bytes, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

int64_t Statement::Number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

Result<std::unique_ptr<Database>> Database::Open(const std::filesystem::path& path, IfMissing if_missing,
                                                 int patience_millis) {
  sqlite3* raw = nullptr;
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE | (if_missing == IfMissing::kCreate ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  std::unique_ptr<Database> database(new Database(raw, path));
  if (code != SQLITE_OK) return std::unexpected(ErrorOf(raw, code, path));
  sqlite3_busy_timeout(raw, patience_millis);
  // A file that somebody else wrote must not run code of its own choice, nor be trusted where it is broken.
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

Database::~Database() { sqlite3_close_v2(database_); }

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
  if (code != SQLITE_OK) return std::unexpected(ErrorOf(database_, code, path_));
  return Statement(database_, raw, &path_);
}

Status Database::Execute(const char* sql) {
  const int code = sqlite3_exec(database_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(ErrorOf(database_, code, path_));
  return {};
}

Result<int64_t> Database::Number(std::string_view sql) {
  TRY_ASSIGN(Statement statement, Prepare(sql));
  TRY_ASSIGN(const bool row, statement.Step());
  return row ? statement.Number(0) : 0;
}

Result<std::string> Database::Text(std::string_view sql) {
  TRY_ASSIGN(Statement statement, Prepare(sql));
  TRY_ASSIGN(const bool row, statement.Step());
  return row ? statement.Text(0) : std::string();
}

Result<Transaction> Transaction::Begin(Database& database) {
  TRY(database.Execute("BEGIN IMMEDIATE"));
  return Transaction(&database);
}

Transaction::~Transaction() {
  // After a failure SQLite may have rolled back by itself.
  if (database_ != nullptr) static_cast<void>(database_->Execute("ROLLBACK"));
}

Status Transaction::Commit() {
  TRY(database_->Execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace xpu_align::history
