// HistoryStore on one SQLite file (WAL) for all repositories and targets of a cache directory. A damaged file is moved
// aside and a new one begun; one of a newer version, or of another program, is refused and left alone. Opened by src/app.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "ports/history_store.h"

namespace xpu_align {

struct OpenedHistory {
  std::unique_ptr<HistoryStore> store;
  std::string moved_aside;  // one sentence when a damaged file was; otherwise empty
};

// Makes the file and its folder when they are not there. kFileSystem: it can not be used; kConfig: it is not ours
// to use.
Result<OpenedHistory> OpenHistory(const std::filesystem::path& file);

}  // namespace xpu_align
