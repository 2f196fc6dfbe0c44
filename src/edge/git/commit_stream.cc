#include "edge/git/commit_stream.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "edge/git/diff_reader.h"

namespace xpu_align {
namespace {

constexpr size_t kChunk = 16;         // neighbours share most of their trees and blobs
constexpr size_t kChunksWaiting = 16;

using Diffs = std::vector<Result<RepositoryDiff>>;

// One thread's handle of the repository and what it read last.
class Worker {
 public:
  explicit Worker(const std::filesystem::path& git_directory)
      : repository_(OpenAt(git_directory.string())), reader_(repository_.get()) {
    if (!repository_) error_ = GitError(git_directory.string());
  }

  Diffs Read(std::span<const std::string> shas) {
    Diffs diffs;
    for (const std::string& sha : shas) diffs.push_back(ReadOne(sha));
    return diffs;
  }

 private:
  Result<RepositoryDiff> ReadOne(const std::string& sha) {
    if (!repository_) return std::unexpected(error_);
    TRY_ASSIGN(const Commit commit, CommitOf(repository_.get(), sha));
    return reader_.OfCommit(commit.get());
  }

  Repository repository_;
  DiffReader reader_;
  Error error_{};
};

class Stream {
 public:
  Stream(const StreamSettings& settings, std::span<const std::string> shas) : settings_(settings), shas_(shas) {}

  // The caller is one of the threads: it reads a chunk itself when the one it needs is not there yet.
  Status Run(const DiffSink& sink) {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < settings_.threads; ++i)
      others.emplace_back([this] {
        Worker worker(settings_.git_directory);
        while (const auto chunk = WaitForRoom()) Put(*chunk, worker.Read(ShasOf(*chunk)));
      });
    Worker worker(settings_.git_directory);
    Status done;
    for (size_t chunk = 0; done && chunk < Chunks(); ++chunk) {
      while (const auto own = ChunkForCaller(chunk)) Put(*own, worker.Read(ShasOf(*own)));
      Diffs diffs = Take(chunk);
      for (size_t i = 0; done && i < diffs.size(); ++i) done = sink(chunk * kChunk + i, std::move(diffs[i]));
    }
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    return done;
  }

 private:
  size_t Chunks() const { return (shas_.size() + kChunk - 1) / kChunk; }

  std::span<const std::string> ShasOf(size_t chunk) const {
    return shas_.subspan(chunk * kChunk, std::min(kChunk, shas_.size() - chunk * kChunk));
  }

  bool HasRoom() const { return next_ < std::min(Chunks(), taken_ + kChunksWaiting); }

  // The oldest chunk that nobody has, once there is room for its result; none at the end.
  std::optional<size_t> WaitForRoom() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || next_ == Chunks() || HasRoom(); });
    if (stopped_ || next_ == Chunks()) return std::nullopt;
    return next_++;
  }

  // A chunk for the caller to read while `needed` is not ready; none: there is nothing to do but take or wait.
  std::optional<size_t> ChunkForCaller(size_t needed) {
    const std::lock_guard lock(mutex_);
    if (ready_.contains(needed) || !HasRoom()) return std::nullopt;
    return next_++;
  }

  void Put(size_t chunk, Diffs diffs) {
    {
      const std::lock_guard lock(mutex_);
      ready_.emplace(chunk, std::move(diffs));
    }
    changed_.notify_all();
  }

  Diffs Take(size_t chunk) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ready_.contains(chunk); });
    Diffs diffs = std::move(ready_.extract(chunk).mapped());
    taken_ = chunk + 1;
    lock.unlock();
    changed_.notify_all();
    return diffs;
  }

  const StreamSettings& settings_;
  std::span<const std::string> shas_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<size_t, Diffs> ready_;
  size_t next_ = 0, taken_ = 0;  // chunks handed to a thread; chunks that the caller has
  bool stopped_ = false;
};

}  // namespace

Status StreamDiffs(const StreamSettings& settings, std::span<const std::string> shas, const DiffSink& sink) {
  StartLibgit2();
  return Stream(settings, shas).Run(sink);
}

}  // namespace xpu_align
