#include "edge/recording/recorded_repository.h"

#include <set>

#include "edge/recording/encoding.h"
#include "edge/recording/repository_json.h"

namespace xpu_align {
namespace {

using Arguments = std::vector<std::string>;

Json TextAnswer(const std::string& text) { return Json(text); }
Result<std::string> StringFromJson(const Json& json) {
  if (!json.IsString()) return Fail(ErrorKind::kProtocol, "an answer is no string");
  return *json.AsString();
}

std::string_view Name(Answer answer) {
  return answer == Answer::kYes ? "yes" : answer == Answer::kNo ? "no" : "unknown";
}

Arguments Of(std::span<const int64_t> numbers) {
  Arguments arguments;
  for (const int64_t number : numbers) arguments.push_back(std::to_string(number));
  return arguments;
}
Arguments Of(const Window& window) { return {window.Name()}; }
Arguments Of(const PullRequestRange& range) { return {range.head, range.parent_of_first_commit}; }

class RecordedRepository : public RepositoryReader {
 public:
  RecordedRepository(std::unique_ptr<RepositoryReader> repository, Recorder& recorder)
      : repository_(std::move(repository)), recorder_(recorder) {}

  Status Update(std::span<const int64_t> pull_requests) override {
    Status done = repository_->Update(pull_requests);
    recorder_.Add("Update", Of(pull_requests), done ? Result<Json>(Json()) : std::unexpected(done.error()));
    return done;
  }
  Result<std::string> TrunkSha() override { return Recorded("TrunkSha", {}, repository_->TrunkSha(), TextAnswer); }
  Result<std::string> Resolve(const std::string& revision) override {
    return Recorded("Resolve", {revision}, repository_->Resolve(revision), TextAnswer);
  }
  Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window& window) override {
    return Recorded("TrunkCommitsIn", Of(window), repository_->TrunkCommitsIn(window), CommitsToJson);
  }
  Result<TrunkCommit> CommitAt(const std::string& sha) override {
    return Recorded("CommitAt", {sha}, repository_->CommitAt(sha), CommitToJson);
  }
  Result<RepositoryDiff> DiffOfCommit(const std::string& sha) override {
    return Recorded("DiffOfCommit", {sha}, repository_->DiffOfCommit(sha), DiffToJson);
  }
  Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange& range) override {
    return Recorded("DiffOfPullRequest", Of(range), repository_->DiffOfPullRequest(range), DiffToJson);
  }
  Result<std::vector<UntrustedText>> FilesIn(const std::string& sha, const UntrustedText& folder) override {
    return Recorded("FilesIn", {sha, folder.ForJson()}, repository_->FilesIn(sha, folder), TextsToJson);
  }
  Result<UntrustedText> FileAt(const std::string& sha, const UntrustedText& path) override {
    return Recorded("FileAt", {sha, path.ForJson()}, repository_->FileAt(sha, path), TextToJson);
  }
  Answer IsAncestor(const std::string& ancestor, const std::string& descendant) override {
    const Answer answer = repository_->IsAncestor(ancestor, descendant);
    recorder_.Add("IsAncestor", {ancestor, descendant}, Json(Name(answer)));
    return answer;
  }

 private:
  template <typename T>
  Result<T> Recorded(const std::string& question, Arguments of, Result<T> answer, Json (*to_json)(const T&)) {
    recorder_.Add(question, std::move(of), answer ? Result<Json>(to_json(*answer)) : std::unexpected(answer.error()));
    return answer;
  }

  std::unique_ptr<RepositoryReader> repository_;
  Recorder& recorder_;
};

class ReplayedRepository : public RepositoryReader {
 public:
  explicit ReplayedRepository(Replayer& replayer) : replayer_(replayer) {
    for (const Json& answer : replayer_.AnswersTo("TrunkCommitsIn"))
      if (auto commits = CommitsFromJson(answer))
        for (TrunkCommit& commit : *commits) commits_.emplace(commit.sha, std::move(commit));
    for (const Json& answer : replayer_.AnswersTo("CommitAt"))
      if (auto commit = CommitFromJson(answer)) commits_.emplace(commit->sha, std::move(*commit));
  }

  Status Update(std::span<const int64_t> pull_requests) override {
    TRY(replayer_.Answer("Update", Of(pull_requests)));
    return {};
  }
  Result<std::string> TrunkSha() override { return Replayed("TrunkSha", {}, StringFromJson); }
  Result<std::string> Resolve(const std::string& revision) override {
    return Replayed("Resolve", {revision}, StringFromJson);
  }
  Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window& window) override {
    return Replayed("TrunkCommitsIn", Of(window), CommitsFromJson);
  }
  Result<TrunkCommit> CommitAt(const std::string& sha) override {
    if (const auto known = commits_.find(sha); known != commits_.end()) return known->second;
    return Replayed("CommitAt", {sha}, CommitFromJson);
  }
  Result<RepositoryDiff> DiffOfCommit(const std::string& sha) override {
    return Replayed("DiffOfCommit", {sha}, DiffFromJson);
  }
  Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange& range) override {
    return Replayed("DiffOfPullRequest", Of(range), DiffFromJson);
  }
  Result<std::vector<UntrustedText>> FilesIn(const std::string& sha, const UntrustedText& folder) override {
    return Replayed("FilesIn", {sha, folder.ForJson()}, TextsFromJson);
  }
  Result<UntrustedText> FileAt(const std::string& sha, const UntrustedText& path) override {
    return Replayed("FileAt", {sha, path.ForJson()}, TextFromJson);
  }
  Answer IsAncestor(const std::string& ancestor, const std::string& descendant) override {
    if (!replayer_.Knows("IsAncestor", {ancestor, descendant})) return Derived(ancestor, descendant);
    const auto answer = Replayed("IsAncestor", {ancestor, descendant}, StringFromJson);
    if (!answer) return Answer::kUnknown;
    return *answer == Name(Answer::kYes) ? Answer::kYes : *answer == Name(Answer::kNo) ? Answer::kNo : Answer::kUnknown;
  }

 private:
  template <typename T>
  Result<T> Replayed(const std::string& question, const Arguments& of, Result<T> (*from_json)(const Json&)) {
    TRY_ASSIGN(const Json json, replayer_.Answer(question, of));
    auto value = from_json(json);
    if (!value) return Fail(value.error(), "the recorded answer to " + question);
    return value;
  }

  Answer Derived(const std::string& ancestor, const std::string& descendant) const {
    if (Reaches(descendant, ancestor)) return Answer::kYes;
    // No commit is in its own history: one that comes later is no ancestor.
    return Reaches(ancestor, descendant) ? Answer::kNo : Answer::kUnknown;
  }

  // By parents of recorded commits alone.
  bool Reaches(const std::string& from, const std::string& to) const {
    std::set<std::string> seen;
    std::vector<std::string> open{from};
    while (!open.empty()) {
      const std::string sha = std::move(open.back());
      open.pop_back();
      if (sha == to) return true;
      const auto known = commits_.find(sha);
      if (!seen.insert(sha).second || known == commits_.end()) continue;
      for (const std::string& parent : known->second.parents) open.push_back(parent);
    }
    return false;
  }

  Replayer& replayer_;
  std::map<std::string, TrunkCommit> commits_;
};

}  // namespace

std::unique_ptr<RepositoryReader> RecordRepository(std::unique_ptr<RepositoryReader> repository, Recorder& recorder) {
  return std::make_unique<RecordedRepository>(std::move(repository), recorder);
}

std::unique_ptr<RepositoryReader> ReplayRepository(Replayer& replayer) {
  return std::make_unique<ReplayedRepository>(replayer);
}

}  // namespace xpu_align
