// Every fault at every request of the plan: collect gives what it gives without the fault, or says honestly that it is
// partial; it fails only when nothing answered. Time is virtual, answers are the fake server's, each asked once.
#include <algorithm>
#include <iostream>
#include <set>

#include "contract/fake_github_process.h"
#include "contract/fault_worlds.h"
#include "contract/faults.h"
#include "edge/github/github.h"
#include "edge/http/http_client.h"
#include "pipeline/collect.h"
#include "support/memory_run_store.h"

namespace xpu_align {
namespace {

TitleDecision DecideTitle(Kind, const UntrustedText& title) {
  if (title.ForMatching().starts_with("DISABLED")) return {TitleStatus::kReject, "disabled-test", "a toggle", title};
  return {};
}
std::vector<Link> LinksInText(const UntrustedText& text) {
  const std::string_view body = text.ForMatching();
  if (body.starts_with("relands ")) return {{"relands", std::string(body.substr(8))}};
  return {};
}

struct Plan {
  std::string world, token;
  bool has_clone;
};

struct Night {
  Result<CollectOutcome> outcome;
  std::vector<std::string> lines;
  size_t spoilt = 0;
  std::vector<std::string> warnings;
};

using Files = std::map<std::string, std::string, std::less<>>;

class FaultMatrix : public ContractTest {
 protected:
  void Begin(const Plan& plan) {
    plan_ = plan;
    fake_ = std::make_unique<FakeGithub>(folder_ / "fake", plan.world);
    server_ = MakeCurlHttp({.user_agent = "xpu-align/test"});
    memory_ = std::make_unique<AnswerMemory>(*server_);
    MemoryRunStore store;
    const Night night = Collected(store, nullptr, 0, Lasts::kOnce);
    ASSERT_TRUE(night.outcome) << night.outcome.error().message;
    ASSERT_EQ(night.outcome->incomplete, std::vector<std::string>{});
    EXPECT_EQ(night.warnings, std::vector<std::string>{});
    lines_ = night.lines;
    truth_ = FilesOf(store);
  }

  Night Collected(MemoryRunStore& store, const Fault* fault, size_t at, Lasts lasts) {
    ManualClock clock("2026-11-30T06:00:00Z");
    RecordedProgress progress;
    FaultyTransport transport(*memory_, clock);
    if (fault != nullptr) transport.Break(at, *fault, lasts);
    auto github = *MakeGithubSource(
        {.api_url = fake_->Base(), .repository = "pytorch/pytorch", .token = BearerToken(plan_.token)}, transport,
        clock);
    ClonedHistory clone;
    const CollectRequest request{.repository = "pytorch/pytorch", .window = Window::Day(*ParseDate("2026-11-29"))};
    Night night{.outcome = Collect(request, {*github, plan_.has_clone ? &clone : nullptr, store, progress},
                                   {DecideTitle, LinksInText, {}})};
    night.lines = transport.lines;
    night.spoilt = transport.spoilt;
    night.warnings = progress.warnings;
    return night;
  }

  // All that a later stage reads; what the night cost is in collection.json.
  static Files FilesOf(MemoryRunStore& store) {
    Files files = store.files();
    files.erase(std::string(paths::kCollection));
    if (const auto ledger = store.Read(paths::kLedger)) files[std::string(paths::kLedger)] = *ledger;
    return files;
  }

  static Json JsonOf(const std::string& bytes) { return ParseJson(bytes).value_or(Json()); }

  // Empty: the night was as it may be. Otherwise what is wrong with it.
  std::string Judge(const Night& night, MemoryRunStore& store, const Fault& fault, size_t at, Lasts lasts) {
    if (night.spoilt == 0) return "the fault hit nothing";
    if (!night.outcome) {
      const Error& error = night.outcome.error();
      const bool first = at == 0;
      if (error.kind == ErrorKind::kAuth && first) return {};
      if (error.kind == ErrorKind::kNetwork && first && lasts == Lasts::kFromHere && !plan_.has_clone) return {};
      return "ends with: " + error.message;
    }
    const Files files = FilesOf(store);
    size_t blocked = 0;
    for (const auto& [path, bytes] : files) {
      const auto known = truth_.find(path);
      if (known == truth_.end()) return path + " exists only with the fault";
      if (bytes == known->second) continue;
      Json json = JsonOf(bytes), true_json = JsonOf(known->second);
      blocked += json.Has("fetch_failure");
      // Where a pull request landed is what the commits tell.
      if (!IsComplete("commits", store) && !json.Has("landed_sha")) true_json.Remove("landed_sha");
      if (json == true_json) continue;
      if (json.Has("incomplete") && (json["title"] != true_json["title"] || json["body"] != true_json["body"]))
        return path + " has another text";
      const bool says_so = json.Has("incomplete") || (fault.refuses_for_good && json.Has("fetch_failure"));
      if (path.starts_with("artifacts/details/") && !says_so) return path + " differs and does not say so";
    }
    const std::vector<std::string>& incomplete = night.outcome->incomplete;
    if (incomplete.empty()) {
      // What an item that is refused would have linked to is not known; neither is a landed one that is not there.
      const bool refused = fault.refuses_for_good && (blocked > 0 || !night.warnings.empty());
      if (files.size() != truth_.size() && !refused) return "silently smaller";
      if (lasts == Lasts::kOnce && blocked > 1) return "one refusal blocks more than one item";
      for (const auto& [path, bytes] : files)
        if (path.starts_with("artifacts/details/") && bytes != truth_.at(path) && !JsonOf(bytes).Has("fetch_failure"))
          return path + " differs silently";
      if (blocked == 0 && !refused && files != truth_) return "differs silently";
    }
    const std::string wrong = JudgeCandidates(store);
    return wrong.empty() ? JudgeWords(incomplete, store) : wrong;
  }

  static bool IsComplete(std::string_view source, MemoryRunStore& store) {
    const Json collection = store.ReadJson(paths::kCollection);
    return std::ranges::any_of(collection.ArrayOf("sources"), [&](const Json& one) {
      return one.StringOr("name") == source && one.BoolOr("complete", false);
    });
  }

  // Of a partial night: each candidate is one of the true ones, perhaps with fewer events.
  std::string JudgeCandidates(MemoryRunStore& store) {
    const auto without_events = [](Json candidate) {
      candidate.Remove("events");
      return WriteJsonLine(candidate);
    };
    std::set<std::string> known;
    const Json truth = JsonOf(truth_.find(paths::kRawCandidates)->second), now = store.ReadJson(paths::kRawCandidates);
    for (const Json& candidate : truth.ArrayOf("candidates")) known.insert(without_events(candidate));
    for (const Json& candidate : now.ArrayOf("candidates"))
      if (!known.contains(without_events(candidate)))
        return candidate.StringOr("id") + " is not what it is without the fault";
    return {};
  }

  // collection.json says the same as the outcome, with a reason for each.
  std::string JudgeWords(const std::vector<std::string>& incomplete, MemoryRunStore& store) {
    const Json collection = store.ReadJson(paths::kCollection);
    std::vector<std::string> said;
    for (const Json& source : collection.ArrayOf("sources"))
      if (!source.BoolOr("complete", false)) {
        if (source.StringOr("reason").empty()) return "a source is incomplete for no reason";
        said.push_back(source.StringOr("name") + ": " + source.StringOr("reason"));
      }
    return said == incomplete ? "" : "collection.json says something else";
  }

  // The next run over the same directory, with nothing wrong any more.
  std::string Resume(MemoryRunStore& store) {
    const Night night = Collected(store, nullptr, 0, Lasts::kOnce);
    if (!night.outcome) return "the next run ends with: " + night.outcome.error().message;
    if (!night.outcome->incomplete.empty()) return "the next run is partial: " + night.outcome->incomplete[0];
    for (const auto& [path, bytes] : FilesOf(store)) {
      const bool is_blocked_commit = path.starts_with("artifacts/details/commit") && JsonOf(bytes).Has("fetch_failure");
      if (!truth_.contains(path) || (bytes != truth_.at(path) && !is_blocked_commit))
        return path + " is not mended by the next run";
    }
    return FilesOf(store).size() == truth_.size() ? "" : "the next run is smaller";
  }

  void RunAll() {
    size_t cases = 0, whole = 0, partial = 0, ended = 0;
    for (const Fault& fault : Faults())
      for (size_t at = 0; at < lines_.size(); ++at)
        for (const Lasts lasts : {Lasts::kOnce, Lasts::kFromHere}) {
          if (!Hits(fault, lines_[at])) continue;
          ++cases;
          MemoryRunStore store;
          const Night night = Collected(store, &fault, at, lasts);
          std::string wrong = Judge(night, store, fault, at, lasts);
          if (wrong.empty() && night.outcome && !night.outcome->incomplete.empty()) wrong = Resume(store);
          if (!wrong.empty())
            ADD_FAILURE() << fault.name << (lasts == Lasts::kOnce ? " once at " : " from ") << at << " (" << lines_[at]
                          << "): " << wrong;
          ++(!night.outcome ? ended : night.outcome->incomplete.empty() ? whole : partial);
        }
    std::cout << cases << " cases at " << lines_.size() << " requests: " << whole << " whole, " << partial
              << " partial, " << ended << " ended\n";
    EXPECT_GE(cases, 210u);
    EXPECT_GT(whole, 0u);
    EXPECT_GT(partial, 0u);
    EXPECT_EQ(fake_->Stop(), 0);
  }

  Plan plan_;
  std::unique_ptr<FakeGithub> fake_;
  std::unique_ptr<HttpTransport> server_;
  std::unique_ptr<AnswerMemory> memory_;
  std::vector<std::string> lines_;
  Files truth_;
};

TEST_F(FaultMatrix, NightWithAClone) {
  ASSERT_NO_FATAL_FAILURE(Begin({.world = LargeNight(), .token = "secret", .has_clone = true}));
  std::vector<std::string> kinds;
  for (const std::string& line : lines_) kinds.push_back(line.substr(0, line.find('?')));
  const std::string query = "POST /graphql", repository = "GET /repos/pytorch/pytorch";
  EXPECT_EQ(kinds,
            (std::vector<std::string>{repository + "/issues", "GET /repositories/65600975/issues",
                                      "GET /repositories/65600975/issues", "GET /search/issues", "GET /search/issues",
                                      query,                            // pull request 9, which landed
                                      query,                            // issues
                                      repository + "/issues/105",       // gone
                                      query, query,                     // more issues, tails of 101 and 104
                                      query,                            // pull requests
                                      repository + "/pulls/202/files",  // not in the clone
                                      query, query}));                  // revived: issue 103, pull request 208
  RunAll();
}

TEST_F(FaultMatrix, NightWithoutAClone) {
  ASSERT_NO_FATAL_FAILURE(Begin({.world = SmallNight(), .token = "secret", .has_clone = false}));
  RunAll();
}

TEST_F(FaultMatrix, NightWithoutATokenAndWithoutAClone) {
  ASSERT_NO_FATAL_FAILURE(Begin({.world = SmallNight(), .token = "", .has_clone = false}));
  EXPECT_TRUE(std::ranges::none_of(lines_, [](const std::string& line) { return line.starts_with("POST"); }));
  RunAll();
}

// The judgement above can fail: a server that lies without a trace is found out by it. Collect can only warn, because
// GitHub's search lags.
TEST_F(FaultMatrix, JudgementFindsALie) {
  ASSERT_NO_FATAL_FAILURE(Begin({.world = SmallNight(), .token = "secret", .has_clone = false}));
  const Fault lie{"an empty page", Asked::kRest, [](HttpResponse truth, int64_t) -> Result<HttpResponse> {
                    truth.body = "[]";
                    truth.headers.clear();
                    return truth;
                  }};
  MemoryRunStore store;
  const Night night = Collected(store, &lie, 1, Lasts::kOnce);
  EXPECT_EQ(Judge(night, store, lie, 1, Lasts::kOnce), "silently smaller");
  EXPECT_EQ(night.warnings, std::vector<std::string>{
                                "GitHub's search counts 4 issues and pull requests in the window, the list has 2"});
  MemoryRunStore other;
  const Night untouched = Collected(other, &lie, 1000, Lasts::kOnce);
  EXPECT_EQ(Judge(untouched, other, lie, 1000, Lasts::kOnce), "the fault hit nothing");
}

// A page that does not name the next one looks like the last; GitHub's own count of the files tells.
TEST_F(FaultMatrix, FilesBehindAForgottenNextPageAreMissed) {
  ASSERT_NO_FATAL_FAILURE(Begin({.world = SmallNight(), .token = "secret", .has_clone = false}));
  const Fault forgets{"no next page", Asked::kRest, [](HttpResponse truth, int64_t) -> Result<HttpResponse> {
                        truth.headers.clear();
                        return truth;
                      }};
  const auto files = std::ranges::find(lines_, std::string("GET /repos/pytorch/pytorch/pulls/201/files?per_page=100")) -
                     lines_.begin();
  MemoryRunStore store;
  const Night night = Collected(store, &forgets, static_cast<size_t>(files), Lasts::kOnce);
  ASSERT_TRUE(night.outcome);
  EXPECT_EQ(night.outcome->incomplete, std::vector<std::string>{"details: not whole: pr-201: 2 of 3 files"});
  EXPECT_EQ(Judge(night, store, forgets, static_cast<size_t>(files), Lasts::kOnce), "");
  EXPECT_EQ(Resume(store), "");
}

}  // namespace
}  // namespace xpu_align
