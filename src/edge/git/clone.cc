#include "edge/git/clone.h"

#include <array>
#include <fstream>

#include "edge/git/clone_lock.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMark = "xpu-align-damaged";  // a file in the clone

// The last bytes of a pack are its checksum, and an index repeats the one of its pack: a pack that was cut off or
// swapped shows without reading it whole.
bool PackMatchesIndex(const fs::path& pack) {
  constexpr std::streamoff kSum = GIT_OID_SHA1_SIZE;
  const auto tail = [](const fs::path& path, std::streamoff from_end) {
    std::array<char, kSum> bytes{};
    std::ifstream in(path, std::ios::binary);
    in.seekg(-from_end, std::ios::end);
    in.read(bytes.data(), bytes.size());
    return in ? std::string(bytes.data(), bytes.size()) : std::string();
  };
  const std::string sum = tail(pack, kSum);
  return !sum.empty() && sum == tail(fs::path(pack).replace_extension(".idx"), 2 * kSum);
}

// Empty when nothing is wrong.
std::string DamageOf(git_repository* repository, const CloneSettings& settings) {
  if (fs::exists(settings.directory / kMark)) return "an earlier run could not read an object";
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(settings.directory / "objects/pack", ignored))
    if (entry.path().extension() == ".pack" && !PackMatchesIndex(entry.path()))
      return entry.path().filename().string() + " is cut off";
  git_oid oid;
  if (git_reference_name_to_id(&oid, repository, TrunkRef(settings.trunk_branch).c_str()) != 0)
    return git_error_last() == nullptr || git_error_last()->klass == GIT_ERROR_REFERENCE  // nothing fetched so far
               ? ""
               : GitError("references").message;
  const auto commit = Made<Commit>([&](git_commit** out) { return git_commit_lookup(out, repository, &oid); });
  if (!commit || !Made<Tree>([&](git_tree** out) { return git_commit_tree(out, commit.get()); }))
    return GitError("trunk").message;
  return "";
}

Status MoveAside(const fs::path& directory) {
  const fs::path aside = directory.string() + ".damaged";
  std::error_code error;
  fs::remove_all(aside, error);
  fs::rename(directory, aside, error);
  if (error) return Fail(ErrorKind::kFileSystem, directory.string() + ": can not be moved aside: " + error.message());
  return {};
}

std::string ConfigValue(git_config* config, const char* pattern) {
  const auto found = Made<ConfigIterator>(
      [&](git_config_iterator** out) { return git_config_iterator_glob_new(out, config, pattern); });
  git_config_entry* entry = nullptr;
  return found && git_config_next(&entry, found.get()) == 0 ? entry->value : "";
}

}  // namespace

Status RefuseUnreadable(const fs::path& git_directory) {
  const fs::path dot_git = git_directory / ".git";
  const std::string file = ((fs::is_directory(dot_git) ? dot_git : git_directory) / "config").string();
  const auto config = Made<Config>([&](git_config** out) { return git_config_open_ondisk(out, file.c_str()); });
  if (!config) return {};  // opening the repository says what is wrong
  const std::string path = git_directory.string();
  if (ConfigValue(config.get(), R"(^extensions\.objectformat$)") == "sha256")
    return Fail(ErrorKind::kGit, path + " names its objects by sha256, which can not be read here; give a sha1 repository");
  if (const std::string refs = ConfigValue(config.get(), R"(^extensions\.refstorage$)"); !refs.empty() && refs != "files")
    return Fail(ErrorKind::kGit, path + " stores its references as " + UntrustedText(refs).ForLogLine(40) +
                                     ", which can not be read here; run git refs migrate --ref-format=files in a copy");
  // It lacks file contents and can not fetch them here: half of every diff would be missing.
  for (const char* setting : {R"(^remote\..*\.(promisor|partialclonefilter)$)", R"(^extensions\.partialclone$)"})
    if (!ConfigValue(config.get(), setting).empty())
      return Fail(ErrorKind::kGit,
                  path + " is a partial clone (git clone --filter), which lacks file contents; give a whole one");
  return {};
}

Result<Repository> OpenOrCreate(const CloneSettings& settings) {
  if (!settings.url.starts_with("https://") && !settings.url.starts_with("http://"))
    return Fail(ErrorKind::kConfig, "a clone is made from an http or https address only");
  StartLibgit2();
  TRY_ASSIGN(const CloneLock lock, CloneLock::Take(settings.directory, settings.stop_requested, settings.progress));
  const std::string path = settings.directory.string();
  if (fs::exists(settings.directory)) {
    RemoveLeftovers(settings.directory);
    Repository repository = OpenAt(path);
    const std::string damage = repository ? DamageOf(repository.get(), settings) : GitError("reading").message;
    if (damage.empty()) return repository;
    if (settings.progress != nullptr)
      settings.progress->Warn(path + " is damaged (" + damage + "); it is moved aside and made anew");
    repository.reset();
    TRY(MoveAside(settings.directory));
  }
  auto made = Made<Repository>([&](git_repository** out) { return git_repository_init(out, path.c_str(), 1); });
  if (!made) return std::unexpected(GitError(path));
  return made;
}

void MarkDamaged(const fs::path& directory) { std::ofstream(directory / kMark) << "moved aside at the next run\n"; }

void RemoveLeftovers(const fs::path& directory) {
  std::error_code ignored;
  static const Pattern kFinished = Pattern::Constant(R"(^pack-[0-9a-f]{40}\.[a-z]+$|^multi-pack-index)");
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory / "objects/pack", ignored)) {
    const fs::path& path = entry.path();
    const bool alone = path.extension() == ".pack" && !fs::exists(fs::path(path).replace_extension(".idx"));
    if (alone || !kFinished.FoundIn(path.filename().string())) left.push_back(path);
  }
  for (const char* name : {"config.lock", "shallow.lock", "packed-refs.lock", "HEAD.lock"})
    left.push_back(directory / name);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory / "refs", ignored))
    if (entry.path().extension() == ".lock") left.push_back(entry.path());
  for (const fs::path& path : left) fs::remove(path, ignored);
}

}  // namespace xpu_align
