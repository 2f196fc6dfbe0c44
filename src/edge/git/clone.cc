#include "edge/git/clone.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "edge/git/subtransport.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

// Held while a run changes the clone; the kernel gives it back when the process ends, however it ends.
class CloneLock {
 public:
  static Result<CloneLock> Take(const fs::path& directory) {
    const fs::path path = directory.string() + ".lock";
    std::error_code ignored;
    fs::create_directories(path.parent_path(), ignored);
    const int fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0) return Fail(ErrorKind::kFileSystem, path.string() + ": " + std::strerror(errno));
    CloneLock lock(fd);
    while (::flock(fd, LOCK_EX) != 0)
      if (errno != EINTR) return Fail(ErrorKind::kFileSystem, path.string() + ": " + std::strerror(errno));
    return lock;
  }
  CloneLock(CloneLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  CloneLock& operator=(CloneLock&&) = delete;
  ~CloneLock() {
    if (fd_ >= 0) ::close(fd_);
  }

 private:
  explicit CloneLock(int fd) : fd_(fd) {}
  int fd_;
};

bool IsReadable(git_repository* repository, const std::string& trunk_branch) {
  git_oid oid;
  if (git_reference_name_to_id(&oid, repository, TrunkRef(trunk_branch).c_str()) != 0)
    return git_error_last() == nullptr || git_error_last()->klass == GIT_ERROR_REFERENCE;  // nothing fetched so far
  const auto commit = Made<Commit>([&](git_commit** out) { return git_commit_lookup(out, repository, &oid); });
  return commit && Made<Tree>([&](git_tree** out) { return git_commit_tree(out, commit.get()); });
}

Status MoveAside(const fs::path& directory) {
  const fs::path aside = directory.string() + ".damaged";
  std::error_code error;
  fs::remove_all(aside, error);
  fs::rename(directory, aside, error);
  if (error) return Fail(ErrorKind::kFileSystem, directory.string() + ": can not be moved aside: " + error.message());
  return {};
}

struct FetchWatch {
  FetchConnection* connection;
  const CloneSettings* settings;
};

int OnTransport(git_transport** out, git_remote* owner, void* payload) {
  return MakeHttpTransport(out, owner, static_cast<FetchWatch*>(payload)->connection);
}

int OnProgress(const git_indexer_progress* stats, void* payload) {
  const CloneSettings& settings = *static_cast<FetchWatch*>(payload)->settings;
  if (settings.stop_requested && settings.stop_requested()) return GIT_EUSER;
  if (settings.progress != nullptr)
    settings.progress->Step(std::to_string(stats->received_objects) + " of " + std::to_string(stats->total_objects) +
                            " objects, " + std::to_string(stats->received_bytes >> 20) + " MiB");
  return 0;
}

std::vector<std::string> RefSpecs(const CloneSettings& settings, std::span<const int64_t> pull_requests) {
  std::vector<std::string> refs{TrunkRef(settings.trunk_branch), "refs/heads/nightly", "refs/heads/release/*"};
  for (const int64_t number : pull_requests) refs.push_back("refs/pull/" + std::to_string(number) + "/head");
  for (std::string& ref : refs) ref = "+" + ref + ":" + ref;
  return refs;
}

}  // namespace

Result<Repository> OpenOrCreate(const CloneSettings& settings) {
  if (!settings.url.starts_with("https://") && !settings.url.starts_with("http://"))
    return Fail(ErrorKind::kConfig, "a clone is made from an http or https address only");
  StartLibgit2();
  TRY_ASSIGN(const CloneLock lock, CloneLock::Take(settings.directory));
  const std::string path = settings.directory.string();
  if (fs::exists(settings.directory)) {
    auto repository =
        Made<Repository>([&](git_repository** out) { return git_repository_open_bare(out, path.c_str()); });
    if (repository && IsReadable(repository.get(), settings.trunk_branch)) return repository;
    if (settings.progress != nullptr)
      settings.progress->Warn(path + " is damaged (" + GitError("reading").message +
                              "); it is moved aside and made anew");
    repository.reset();
    TRY(MoveAside(settings.directory));
  }
  auto made = Made<Repository>([&](git_repository** out) { return git_repository_init(out, path.c_str(), 1); });
  if (!made) return std::unexpected(GitError(path));
  return made;
}

Result<std::string> Fetch(git_repository* repository, const CloneSettings& settings,
                          std::span<const int64_t> pull_requests) {
  TRY_ASSIGN(const CloneLock lock, CloneLock::Take(settings.directory));
  // Before the remote, whose transport uses it to the end.
  FetchConnection connection{.session = HttpStreamSession(settings.http, settings.stop_requested)};
  const auto remote = Made<Remote>(
      [&](git_remote** out) { return git_remote_create_anonymous(out, repository, settings.url.c_str()); });
  if (!remote) return std::unexpected(GitError(settings.url));
  if (settings.progress != nullptr && git_repository_is_empty(repository) == 1)
    settings.progress->Note("first clone of " + settings.url + " into " + settings.directory.string() +
                            (settings.depth ? ", " + std::to_string(settings.depth) + " commits deep"
                                            : "; the whole history can take minutes and gigabytes, once"));

  FetchWatch watch{&connection, &settings};
  git_fetch_options options = GIT_FETCH_OPTIONS_INIT;
  options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
  options.update_fetchhead = 0;
  options.depth = settings.depth;
  options.callbacks.transport = OnTransport;
  options.callbacks.transfer_progress = OnProgress;
  options.callbacks.payload = &watch;

  std::vector<std::string> specs = RefSpecs(settings, pull_requests);
  std::vector<char*> pointers;
  for (std::string& spec : specs) pointers.push_back(spec.data());
  const git_strarray array{pointers.data(), pointers.size()};
  if (git_remote_fetch(remote.get(), &array, &options, nullptr) != 0) {
    if (settings.stop_requested && settings.stop_requested())
      return Fail(ErrorKind::kCancelled, "the fetch was stopped");
    if (connection.error) return Fail(*connection.error, "the clone could not be fetched");
    return std::unexpected(GitError("the clone could not be fetched"));
  }
  git_oid trunk;
  if (git_reference_name_to_id(&trunk, repository, TrunkRef(settings.trunk_branch).c_str()) != 0)
    return std::unexpected(GitError("branch " + settings.trunk_branch));
  return ShaText(trunk);
}

}  // namespace xpu_align
