// MemoryRepository: a RepositoryReader of tests with one commit, whose files are a map. What is not set up is not there.
#pragma once
#include <map>
#include <string>

#include "ports/repository_reader.h"

namespace xpu_align {

class MemoryRepository : public RepositoryReader {
 public:
  MemoryRepository(std::string sha, std::map<std::string, std::string> files)
      : sha_(std::move(sha)), files_(std::move(files)) {}

  Status Update(std::span<const int64_t>) override { return update; }
  Result<std::string> TrunkSha() override { return sha_; }
  Result<std::string> Resolve(const std::string&) override { return None(); }
  Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window&) override { return None(); }
  Result<TrunkCommit> CommitAt(const std::string&) override { return None(); }
  Result<RepositoryDiff> DiffOfCommit(const std::string&) override { return None(); }
  Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange&) override { return None(); }
  Result<std::vector<UntrustedText>> FilesIn(const std::string& sha, const UntrustedText& folder) override {
    const std::string prefix = std::string(folder.ForMatching()) + "/";
    std::vector<UntrustedText> names;
    for (const auto& [path, text] : files_)
      if (sha == sha_ && path.starts_with(prefix) && path.find('/', prefix.size()) == std::string::npos)
        names.emplace_back(path.substr(prefix.size()));
    if (names.empty()) return None();
    return names;
  }
  Result<UntrustedText> FileAt(const std::string& sha, const UntrustedText& path) override {
    ++reads;
    const auto file = files_.find(std::string(path.ForMatching()));
    if (sha != sha_ || file == files_.end()) return None();
    return UntrustedText(file->second);
  }
  Answer IsAncestor(const std::string&, const std::string&) override { return ancestry; }

  Status update;
  Answer ancestry = Answer::kUnknown;
  size_t reads = 0;

 private:
  static std::unexpected<Error> None() { return Fail(ErrorKind::kNotFound, "not in this repository"); }

  std::string sha_;
  std::map<std::string, std::string> files_;
};

}  // namespace xpu_align
