#include "edge/git/fetch.h"

#include <algorithm>
#include <cstdio>

#include "edge/git/clone.h"
#include "edge/git/clone_lock.h"
#include "edge/git/subtransport.h"
#include "edge/git/wanted_refs.h"

namespace xpu_align {
namespace {

constexpr uint64_t kKeptFree = 512u << 20;         // a full disk takes more down than this run
constexpr size_t kSpaceCheckedEvery = 32u << 20;

std::string InGigabytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

// 0 when it can not be told.
uint64_t FreeBytes(const std::filesystem::path& path) {
  std::error_code error;
  const auto space = std::filesystem::space(path, error);
  return error ? 0 : space.available;
}

struct Watch {
  FetchConnection connection;
  const CloneSettings& settings;
  size_t checked_at = 0;
  std::string stopped_because;  // by us
};

int OnTransport(git_transport** out, git_remote* owner, void* payload) {
  return MakeHttpTransport(out, owner, &static_cast<Watch*>(payload)->connection);
}

int OnProgress(const git_indexer_progress* stats, void* payload) {
  Watch& watch = *static_cast<Watch*>(payload);
  const CloneSettings& settings = watch.settings;
  if (settings.stop_requested && settings.stop_requested()) return GIT_EUSER;
  if (stats->received_bytes >= watch.checked_at + kSpaceCheckedEvery) {
    watch.checked_at = stats->received_bytes;
    if (const uint64_t left = FreeBytes(settings.directory); left > 0 && left < kKeptFree) {
      watch.stopped_because = "the fetch was stopped: only " + InGigabytes(left) + " are free at " + settings.directory.string();
      return GIT_EUSER;
    }
  }
  if (settings.progress != nullptr)
    settings.progress->Step(std::to_string(stats->received_objects) + " of " + std::to_string(stats->total_objects) +
                            " objects, " + std::to_string(stats->received_bytes >> 20) + " MiB");
  return 0;
}

class Fetching {
 public:
  Fetching(git_repository* repository, const CloneSettings& settings, int depth)
      : depth_(depth),
        watch_{{.session = HttpStreamSession(settings.http, settings.stop_requested), .token = settings.token,
                .max_reference_list = settings.max_reference_list},
               settings},
        remote_(Made<Remote>(
            [&](git_remote** out) { return git_remote_create_anonymous(out, repository, settings.url.c_str()); })) {}

  Status Connect() {
    if (!remote_) return std::unexpected(GitError(watch_.settings.url));
    git_remote_callbacks callbacks = Callbacks();
    if (git_remote_connect(remote_.get(), GIT_DIRECTION_FETCH, &callbacks, nullptr, nullptr) != 0)
      return std::unexpected(Why());
    if (git_remote_ls(&heads_, &head_count_, remote_.get()) != 0) return std::unexpected(Why());
    return {};
  }

  std::span<const git_remote_head* const> Heads() const { return {heads_, head_count_}; }

  // References keep their names.
  Status Download(const std::vector<std::string>& names) {
    std::vector<std::string> specs;
    for (const std::string& name : names) specs.push_back("+" + name + ":" + name);
    std::vector<char*> pointers;
    for (std::string& spec : specs) pointers.push_back(spec.data());
    const git_strarray array{pointers.data(), pointers.size()};
    git_fetch_options options = GIT_FETCH_OPTIONS_INIT;
    options.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_NONE;
    options.update_fetchhead = 0;
    options.depth = depth_;
    options.callbacks = Callbacks();
    if (git_remote_download(remote_.get(), &array, &options) != 0 ||
        git_remote_update_tips(remote_.get(), &options.callbacks, 0, GIT_REMOTE_DOWNLOAD_TAGS_NONE, nullptr) != 0)
      return std::unexpected(Why());
    return {};
  }

 private:
  git_remote_callbacks Callbacks() {
    git_remote_callbacks callbacks = GIT_REMOTE_CALLBACKS_INIT;
    callbacks.transport = OnTransport;
    callbacks.transfer_progress = OnProgress;
    callbacks.payload = &watch_;
    return callbacks;
  }

  Error Why() const {
    if (!watch_.stopped_because.empty()) return {ErrorKind::kFileSystem, watch_.stopped_because};
    if (watch_.settings.stop_requested && watch_.settings.stop_requested())
      return {ErrorKind::kCancelled, "the fetch was stopped"};
    constexpr const char* kContext = "the clone could not be fetched";
    return watch_.connection.error ? Fail(*watch_.connection.error, kContext).error() : GitError(kContext);
  }

  int depth_;
  Watch watch_;     // before the remote, whose transport uses it to the end
  Remote remote_;
  const git_remote_head** heads_ = nullptr;
  size_t head_count_ = 0;
};

}  // namespace

Status CheckSpace(const CloneSettings& settings) {
  const uint64_t left = FreeBytes(settings.directory);
  if (left == 0 || left >= settings.space_needed) return {};
  return Fail(ErrorKind::kFileSystem, "a first clone of " + settings.url + " needs about " +
                                          InGigabytes(settings.space_needed) + " and " + InGigabytes(left) +
                                          " are free at " + settings.directory.string() +
                                          "; free some, use --depth, or name another --cache-dir");
}

Result<Fetched> Fetch(git_repository* repository, const CloneSettings& settings, std::span<const int64_t> pull_requests,
                      int depth) {
  TRY_ASSIGN(const CloneLock lock, CloneLock::Take(settings.directory, settings.stop_requested, settings.progress));
  if (git_repository_is_empty(repository) == 1) {
    TRY(CheckSpace(settings));
    if (settings.progress != nullptr)
      settings.progress->Note("first clone of " + settings.url + " into " + settings.directory.string() +
                              (depth > 0 ? ", " + std::to_string(depth) + " commits deep"
                                         : "; the whole history can take minutes and gigabytes, once"));
  }
  RemoveLeftovers(settings.directory);
  Fetching fetching(repository, settings, depth);
  TRY(fetching.Connect());
  std::vector<AdvertisedRef> advertised;
  for (const git_remote_head* head : fetching.Heads())
    advertised.push_back({head->name, {reinterpret_cast<const char*>(head->oid.id), GIT_OID_SHA1_SIZE}});
  const WantedRefs wanted = Wanted(advertised, settings.trunk_branch, pull_requests);
  if (std::ranges::find(wanted.names, TrunkRef(settings.trunk_branch)) == wanted.names.end())
    return Fail(ErrorKind::kNotFound, settings.url + " has no branch " + settings.trunk_branch);
  TRY(fetching.Download(wanted.names));

  Fetched fetched;
  const auto sha_of = [&](const std::string& ref) -> std::string {
    git_oid id;
    return git_reference_name_to_id(&id, repository, ref.c_str()) == 0 ? ShaText(id) : std::string();
  };
  fetched.trunk = sha_of(TrunkRef(settings.trunk_branch));
  if (fetched.trunk.empty()) return std::unexpected(GitError("branch " + settings.trunk_branch));
  for (const auto& [number, base] : wanted.ghstack_bases)
    fetched.ghstack_bases[sha_of("refs/pull/" + std::to_string(number) + "/head")] = sha_of(base);
  return fetched;
}

Status FetchHead(git_repository* repository, const CloneSettings& settings, int64_t pull_request, int depth) {
  TRY_ASSIGN(const CloneLock lock, CloneLock::Take(settings.directory, settings.stop_requested, settings.progress));
  Fetching fetching(repository, settings, depth);
  TRY(fetching.Connect());
  return fetching.Download({"refs/pull/" + std::to_string(pull_request) + "/head"});
}

}  // namespace xpu_align
