// Reads the diff of every commit of HEAD that is no merge, as `git log -p` shows it, and prints what it saw and the
// peak of its own memory (RssAnon; mapped packs are not ours). Usage: bench_git_diffs GIT_DIRECTORY THREADS
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "edge/git/commit_stream.h"
#include "edge/git/handles.h"

namespace xpu_align {
namespace {

long RssAnonKilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("RssAnon:")) return std::atol(line.c_str() + 8);
  return 0;
}

std::vector<std::string> CommitsOf(const char* directory) {
  std::vector<std::string> shas;
  const auto repository = Made<Repository>([&](git_repository** out) { return git_repository_open(out, directory); });
  const auto walk = Made<Revwalk>([&](git_revwalk** out) { return git_revwalk_new(out, repository.get()); });
  if (!walk || git_revwalk_push_head(walk.get()) != 0) return shas;
  git_oid id;
  while (git_revwalk_next(&id, walk.get()) == 0) {
    const auto commit = Made<Commit>([&](git_commit** out) { return git_commit_lookup(out, repository.get(), &id); });
    if (commit && git_commit_parentcount(commit.get()) < 2) shas.push_back(ShaText(id));
  }
  return shas;
}

int Run(const char* directory, unsigned threads) {
  StartLibgit2();
  const std::vector<std::string> shas = CommitsOf(directory);
  size_t files = 0, bytes = 0, failed = 0, left_out = 0;
  long peak = 0;
  const Status done = StreamDiffs({directory, threads}, shas, [&](size_t at, Result<RepositoryDiff> diff) -> Status {
    if (at % 256 == 0) peak = std::max(peak, RssAnonKilobytes());
    failed += !diff;
    if (!diff) return {};
    files += diff->files.size();
    left_out += diff->files_left_out;
    for (const ChangedFile& file : diff->files) bytes += file.patch.SizeInBytes();
    return {};
  });
  std::printf("commits %zu failed %zu files %zu left_out %zu patch_bytes %zu peak_rss_anon_kb %ld\n", shas.size(), failed,
              files, left_out, bytes, peak);
  return done && failed == 0 && !shas.empty() ? 0 : 1;
}

}  // namespace
}  // namespace xpu_align

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s GIT_DIRECTORY THREADS\n", argv[0]);
    return 64;
  }
  return xpu_align::Run(argv[1], static_cast<unsigned>(std::atoi(argv[2])));
}
