// A recording made of ports that answer as told, and the same read back: whole, damaged and hostile.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "digest/sha256.h"
#include "edge/recording/recorded_http.h"
#include "edge/recording/recorded_repository.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

constexpr const char* kToken = "tok-3nNotReal";
const std::string kA(40, 'a'), kB(40, 'b'), kC(40, 'c'), kD(40, 'd');

class ToldHttp : public HttpTransport {
 public:
  std::vector<Result<HttpResponse>> answers;
  Result<HttpResponse> Send(const HttpRequest& request) override {
    auto answer = std::move(answers[next_++]);
    if (answer && answer->url.empty()) answer->url = request.url;
    return answer;
  }

 private:
  size_t next_ = 0;
};

// c is the trunk, its parents are b and then a; the text of a is no UTF-8.
class ToldRepository : public RepositoryReader {
 public:
  Status Update(std::span<const int64_t>) override { return {}; }
  Result<std::string> TrunkSha() override { return kC; }
  Result<std::string> Resolve(const std::string&) override { return Fail(ErrorKind::kNotFound, "no such revision"); }
  Result<std::vector<TrunkCommit>> TrunkCommitsIn(const Window&) override {
    return std::vector<TrunkCommit>{{.sha = kC, .parents = {kB}, .message = UntrustedText("c\n\nmore\n")},
                                    {.sha = kB, .parents = {kA}, .message = UntrustedText("b\xff\n")}};
  }
  Result<TrunkCommit> CommitAt(const std::string&) override { return Fail(ErrorKind::kNotFound, "not there"); }
  Result<RepositoryDiff> DiffOfCommit(const std::string& sha) override {
    RepositoryDiff diff{.base_sha = sha == kA ? "" : kA, .files_left_out = 2};
    diff.files.push_back({.path = UntrustedText("a\xfc.py"), .status = "modified", .additions = 1, .deletions = 2,
                          .patch = UntrustedText("@@ -1 +1 @@\n-old\n+new\n")});
    return diff;
  }
  Result<RepositoryDiff> DiffOfPullRequest(const PullRequestRange&) override {
    return Fail(ErrorKind::kGit, "too shallow");
  }
  Result<std::vector<UntrustedText>> FilesIn(const std::string&, const UntrustedText&) override {
    return std::vector<UntrustedText>{UntrustedText("a.py"), UntrustedText("b\xfc.py")};
  }
  Result<UntrustedText> FileAt(const std::string&, const UntrustedText&) override { return UntrustedText("x = 1\n"); }
  Answer IsAncestor(const std::string&, const std::string&) override { return Answer::kNo; }
};

class RecordingTest : public testing::Test {
 protected:
  RecordingTest()
      : folder_(fs::path(testing::TempDir()) / ("recording." + std::to_string(::getpid()) + "." +
                                               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    scope_.repository = "pytorch/pytorch";
    scope_.window = Window::Day(*ParseDate("2026-11-28"));
    scope_.api_url = "http://127.0.0.1:4711";
    scope_.has_token = scope_.has_clone = true;
  }
  ~RecordingTest() override { fs::remove_all(folder_); }

  std::unique_ptr<Recorder> Begin() {
    auto recorder = Recorder::Begin(folder_, scope_, "0.1.0", kToken);
    EXPECT_TRUE(recorder) << recorder.error().message;
    return recorder ? std::move(*recorder) : nullptr;
  }
  // Two answers to one request, and a failure.
  void RecordExchanges() {
    auto recorder = Begin();
    auto http = std::make_unique<ToldHttp>();
    http->answers = {
        HttpResponse{.status = 403,
                     .headers = {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", "1060"},
                                 {"set-cookie", "session=1"}, {"date", "today"}, {"x-github-request-id", "1:2"}},
                     .body = "busy"},
        HttpResponse{.status = 200,
                     .headers = {{"link", "<http://127.0.0.1:4711/next>; rel=\"next\""}, {"x-ratelimit-remaining", "9"}},
                     .body = R"({"b": 2, "a": "http://127.0.0.1:4711/x"})"},
        Fail(ErrorKind::kNetwork, "http://127.0.0.1:4711: no answer")};
    ReplayClock clock(1000);
    const auto port = RecordHttp(std::move(http), *recorder, clock);
    const BearerToken token{kToken};
    for (int i = 0; i < 2; ++i) static_cast<void>(port->Send({.url = "http://127.0.0.1:4711/list", .token = &token}));
    static_cast<void>(port->Send({.method = "POST", .url = "http://127.0.0.1:4711/graphql", .body = R"({"q":1})"}));
    const auto said = recorder->Finish();
    ASSERT_TRUE(said) << said.error().message;
    EXPECT_EQ(*said, "recorded 3 exchanges with GitHub and 0 answers of the clone");
  }
  std::string Text(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  void Put(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  // Replaces a file and makes the manifest vouch for it: what an attacker would do.
  void Forge(const std::string& name, const std::string& bytes) {
    Json manifest = *ParseJson(Text("manifest.json"));
    Json files = manifest["files"];
    manifest.Set("files", files.Set(name, Sha256Hex(bytes)));
    fs::create_directories((folder_ / name).parent_path());
    Put(name, bytes);
    Put("manifest.json", WriteJson(manifest));
  }
  void ExpectRefused(ErrorKind kind, const std::string& words) {
    const auto replayer = Replayer::Open(folder_);
    ASSERT_FALSE(replayer) << words;
    EXPECT_EQ(replayer.error().kind, kind) << replayer.error().message;
    EXPECT_TRUE(replayer.error().message.contains(words)) << replayer.error().message;
  }

  fs::path folder_;
  RecordingScope scope_;
};

TEST_F(RecordingTest, ExchangesComeAgainInOrderWithoutWhatIsVolatile) {
  RecordExchanges();
  EXPECT_EQ(Text("exchanges/0001.answer.txt"), "busy");
  EXPECT_EQ(Text("exchanges/0002.answer.json"), "{\n  \"a\": \"http://stand-in.invalid/x\",\n  \"b\": 2\n}\n");
  EXPECT_EQ(Text("exchanges.json"), R"({
  "exchanges": [
    {
      "answer": "exchanges/0001.answer.txt",
      "headers": {
        "x-ratelimit-remaining": "0"
      },
      "method": "GET",
      "reset_after": 60,
      "status": 403,
      "url": "http://stand-in.invalid/list"
    },
    {
      "answer": "exchanges/0002.answer.json",
      "headers": {
        "link": "<http://stand-in.invalid/next>; rel=\"next\""
      },
      "method": "GET",
      "status": 200,
      "url": "http://stand-in.invalid/list"
    },
    {
      "error": {
        "kind": "network",
        "message": "http://stand-in.invalid: no answer"
      },
      "method": "POST",
      "request": "exchanges/0003.request.json",
      "url": "http://stand-in.invalid/graphql"
    }
  ],
  "schema": "xpu-align/recorded-exchanges@1"
}
)");
  const auto replayer = *Replayer::Open(folder_);
  const auto http = ReplayHttp(*replayer);
  EXPECT_EQ(replayer->Scope().api_url, "http://stand-in.invalid");
  ASSERT_TRUE(replayer->VirtualClock().SleepMillis(5000));
  const int64_t now = replayer->VirtualClock().NowSeconds();
  const auto busy = http->Send({.url = "http://stand-in.invalid/list"});
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->status, 403);
  EXPECT_EQ(busy->Header("x-ratelimit-reset"), std::to_string(now + 60));
  EXPECT_EQ(replayer->NotAskedFor(),
            (std::vector<std::string>{"GET http://stand-in.invalid/list", "POST http://stand-in.invalid/graphql"}));
  const auto list = http->Send({.url = "http://stand-in.invalid/list"});
  ASSERT_TRUE(list);
  EXPECT_EQ(list->url, "http://stand-in.invalid/list");
  const auto failed = http->Send({.method = "POST", .url = "http://stand-in.invalid/graphql", .body = R"({ "q" : 1 })"});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::kNetwork);
  EXPECT_TRUE(replayer->NotAskedFor().empty());
  EXPECT_TRUE(replayer->NothingMissing());
}

TEST_F(RecordingTest, WhatWasNotRecordedIsNamedAndEndsTheReplay) {
  RecordExchanges();
  const auto replayer = *Replayer::Open(folder_);
  const auto http = ReplayHttp(*replayer);
  const auto other = http->Send({.method = "POST", .url = "http://stand-in.invalid/graphql", .body = R"({"q":2})"});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::kConfig);
  EXPECT_TRUE(other.error().message.contains("no answer to POST http://stand-in.invalid/graphql")) << other.error().message;
  EXPECT_TRUE(other.error().message.contains("2026-11-28-to-2026-11-28")) << other.error().message;
  EXPECT_FALSE(http->Send({.url = "http://stand-in.invalid/list"})) << "nothing that follows can be trusted";
  EXPECT_FALSE(replayer->NothingMissing());
}

TEST_F(RecordingTest, AnswersOfTheCloneKeepTheirBytes) {
  auto recorder = Begin();
  const auto recorded = RecordRepository(std::make_unique<ToldRepository>(), *recorder);
  ToldRepository told;
  const auto ask_all = [&](RepositoryReader& reader) {
    const int64_t numbers[] = {7, 8};
    ASSERT_TRUE(reader.Update(numbers));
    EXPECT_EQ(*reader.TrunkSha(), kC);
    EXPECT_EQ(reader.Resolve("nightly").error().kind, ErrorKind::kNotFound);
    const auto commits = *reader.TrunkCommitsIn(scope_.window);
    ASSERT_EQ(commits.size(), 2u);
    EXPECT_EQ(commits[0].message, UntrustedText("c\n\nmore\n"));
    EXPECT_EQ(commits[1].message, UntrustedText("b\xff\n"));
    EXPECT_EQ(commits[1].parents, std::vector<std::string>{kA});
    for (const std::string& sha : {kA, kB}) {
      const auto diff = *reader.DiffOfCommit(sha), expected = *told.DiffOfCommit(sha);
      EXPECT_EQ(diff.base_sha, expected.base_sha);
      EXPECT_EQ(diff.files_left_out, 2u);
      ASSERT_EQ(diff.files.size(), 1u);
      EXPECT_EQ(diff.files[0].path, expected.files[0].path);
      EXPECT_EQ(diff.files[0].patch, expected.files[0].patch);
      EXPECT_EQ(diff.files[0].deletions, 2);
    }
    EXPECT_EQ(reader.DiffOfPullRequest({.head = kB}).error().message, "too shallow");
    EXPECT_EQ(*reader.FilesIn(kB, UntrustedText("test")), *told.FilesIn(kB, UntrustedText("test")));
    EXPECT_EQ(*reader.FileAt(kB, UntrustedText("a\xfc.py")), UntrustedText("x = 1\n"));
    EXPECT_EQ(reader.IsAncestor(kD, kC), Answer::kNo);
  };
  ask_all(*recorded);
  ASSERT_TRUE(recorder->Finish());
  const auto replayer = *Replayer::Open(folder_);
  ask_all(*ReplayRepository(*replayer));
  EXPECT_TRUE(replayer->NothingMissing());
}

TEST_F(RecordingTest, AncestryThatWasNotAskedFollowsFromTheParents) {
  auto recorder = Begin();
  static_cast<void>(RecordRepository(std::make_unique<ToldRepository>(), *recorder)->TrunkCommitsIn(scope_.window));
  ASSERT_TRUE(recorder->Finish());
  const auto replayer = *Replayer::Open(folder_);
  const auto repository = ReplayRepository(*replayer);
  EXPECT_EQ(repository->IsAncestor(kB, kC), Answer::kYes);
  EXPECT_EQ(repository->IsAncestor(kA, kC), Answer::kYes);
  EXPECT_EQ(repository->IsAncestor(kC, kC), Answer::kYes);
  EXPECT_EQ(repository->IsAncestor(kC, kB), Answer::kNo);
  EXPECT_EQ(repository->IsAncestor(kD, kC), Answer::kUnknown);  // may be older than what was recorded
  EXPECT_EQ(repository->CommitAt(kB)->sha, kB);
  EXPECT_TRUE(replayer->NothingMissing());
  EXPECT_FALSE(repository->CommitAt(kD));
  EXPECT_FALSE(replayer->NothingMissing());
}

TEST_F(RecordingTest, ASecretFailsTheRecordingAndIsNotLeftBehind) {
  auto recorder = Begin();
  auto http = std::make_unique<ToldHttp>();
  http->answers = {HttpResponse{.status = 200, .body = "one"},
                   HttpResponse{.status = 200, .body = std::string("{\"echo\": \"") + kToken + "\"}"}};
  ReplayClock clock(0);
  const auto port = RecordHttp(std::move(http), *recorder, clock);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(port->Send({.url = "https://api.github.com/x"})) << "the run itself goes on";
  const auto said = recorder->Finish();
  ASSERT_FALSE(said);
  EXPECT_TRUE(said.error().message.contains("exchanges/0002.answer.json would hold the token of this run"))
      << said.error().message;
  EXPECT_FALSE(said.error().message.contains(kToken));
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    if (entry.is_regular_file()) {
      EXPECT_FALSE(Text(fs::relative(entry.path(), folder_)).contains(kToken)) << entry.path();
    }
  ExpectRefused(ErrorKind::kNotFound, "it was not finished");
}

TEST_F(RecordingTest, ASecretInAnAddressIsFoundToo) {
  auto recorder = Begin();
  recorder->Add({.url = std::string("https://api.github.com/x?access_token=") + kToken}, HttpResponse{.status = 200}, 0);
  EXPECT_FALSE(recorder->Finish());
  EXPECT_FALSE(fs::exists(folder_ / "exchanges.json"));
}

TEST_F(RecordingTest, AFolderThatIsNotEmptyIsNotWrittenTo) {
  fs::create_directories(folder_);
  Put("mine.txt", "x");
  const auto recorder = Recorder::Begin(folder_, scope_, "0.1.0", kToken);
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().kind, ErrorKind::kConfig);
  EXPECT_TRUE(recorder.error().message.contains("not empty")) << recorder.error().message;
}

TEST_F(RecordingTest, WhatIsNoRecordingIsRefused) {
  ExpectRefused(ErrorKind::kNotFound, "there is no recording");
  RecordExchanges();
  const std::string manifest = Text("manifest.json");
  for (const auto& [bytes, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "manifest.json"},
           {"[]", "expected schema xpu-align/recording@1"},
           {R"({"schema": "xpu-align/recording@2"})", "expected schema xpu-align/recording@1"}}) {
    Put("manifest.json", bytes);
    ExpectRefused(ErrorKind::kProtocol, words);
  }
  std::string other = manifest;
  other.replace(other.find("pytorch/pytorch"), 15, "../../../../etc");
  Put("manifest.json", other);
  ExpectRefused(ErrorKind::kProtocol, "OWNER/NAME");
}

TEST_F(RecordingTest, ChangedMissingAndLinkedFilesAreRefused) {
  RecordExchanges();
  const std::string name = "exchanges/0002.answer.json", good = Text(name);
  Put(name, good + " ");
  ExpectRefused(ErrorKind::kProtocol, name + ": its bytes are not those of the manifest");
  fs::remove(folder_ / name);
  ExpectRefused(ErrorKind::kProtocol, name);
  std::ofstream(folder_ / "elsewhere") << good;
  fs::create_symlink("../elsewhere", folder_ / name);
  ExpectRefused(ErrorKind::kProtocol, name);
  fs::remove(folder_ / name);
  fs::create_directory(folder_ / name);
  ExpectRefused(ErrorKind::kProtocol, name);
  fs::remove(folder_ / name);
  Put(name, good);
  EXPECT_TRUE(Replayer::Open(folder_));
  fs::rename(folder_ / "exchanges", folder_ / "moved");
  fs::create_directory_symlink("moved", folder_ / "exchanges");
  ExpectRefused(ErrorKind::kProtocol, "exchanges/");
}

TEST_F(RecordingTest, AForgedRecordingReachesNoFileOutside) {
  RecordExchanges();
  const std::string exchanges = Text("exchanges.json"), manifest = Text("manifest.json");
  for (const char* path : {"../outside.txt", "/etc/hostname", "exchanges/../../outside.txt", "exchanges/0001.answer.txt\\n",
                           "manifest.json", "exchanges/0001.answer.sh"}) {
    std::string forged = exchanges;
    forged.replace(forged.find("exchanges/0001.answer.txt"), 25, path);
    Put("manifest.json", manifest);
    Forge("exchanges.json", forged);
    ExpectRefused(ErrorKind::kProtocol, "names no file of a recording");
  }
  Json named = *ParseJson(manifest);
  Json files = named["files"];
  named.Set("files", files.Set("../outside.txt", std::string(64, '0')));
  Put("manifest.json", WriteJson(named));
  ExpectRefused(ErrorKind::kProtocol, "no file of a recording");
}

TEST_F(RecordingTest, AForgedAnswerIsAnErrorOfThatAnswer) {
  auto recorder = Begin();
  static_cast<void>(RecordRepository(std::make_unique<ToldRepository>(), *recorder)->DiffOfCommit(kB));
  ASSERT_TRUE(recorder->Finish());
  Forge("repository.json", R"({"schema": "xpu-align/recorded-answers@1", "answers": [
    {"question": "DiffOfCommit", "of": [")" + kB + R"("], "answer": {"base_sha": "; rm", "base_source": "parent", "files": []}}]})");
  const auto replayer = *Replayer::Open(folder_);
  const auto diff = ReplayRepository(*replayer)->DiffOfCommit(kB);
  ASSERT_FALSE(diff);
  EXPECT_EQ(diff.error().kind, ErrorKind::kProtocol);
}

}  // namespace
}  // namespace xpu_align
