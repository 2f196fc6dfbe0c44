// The request plan against the fake server: how many requests a night costs, that collection.json tells the number that
// the server saw, that nothing longer than a page is lost, and what a night without a token is.
#include "contract/fake_github_process.h"
#include "contract/fault_worlds.h"
#include "edge/github/github.h"
#include "edge/http/http_client.h"
#include "pipeline/collect.h"
#include "support/memory_run_store.h"

namespace xpu_align {
namespace {

TitleDecision PassAll(Kind, const UntrustedText&) { return {}; }

// `days` before the 30th; a day has 80 issues, 120 pull requests and 30 older pull requests that landed, and 40 issues
// came after the window.
struct Busy {
  std::string world;
  std::vector<int64_t> landed;
};
Busy BusyDays(int days) {
  std::vector<std::string> issues{R"({"number": 1, "title": "Too old", "created_at": "2026-11-01T00:00:00Z"})"}, pulls;
  std::vector<int64_t> landed;
  const auto add = [](std::vector<std::string>* to, int number, const std::string& day, int minute,
                      const std::string& more) {
    char time[32];
    std::snprintf(time, sizeof time, "T%02d:%02d:00Z", minute / 60, minute % 60);
    to->push_back("{\"number\": " + std::to_string(number) + ", \"title\": \"crash\", \"created_at\": \"" + day + time +
                  "\"" + more + "}");
  };
  const std::string sides = kSides + std::string(R"(, "files": [])");
  for (int day = 0; day < days; ++day) {
    const std::string date = "2026-11-" + std::to_string(29 - day);
    for (int i = 0; i < 80; ++i) add(&issues, 10'000 - 1'000 * day + i, date, 5 * i, "");
    for (int i = 0; i < 120; ++i) add(&pulls, 10'100 - 1'000 * day + i, date, 7 * i, sides);
    for (int i = 0; i < 30; ++i) {
      add(&pulls, 100 + 30 * day + i, "2026-11-10", i, sides);
      landed.push_back(100 + 30 * day + i);
    }
  }
  for (int i = 0; i < 40; ++i) add(&issues, 11'000 + i, "2026-11-30", i, "");
  return {R"({"repository": "pytorch/pytorch", "token": "secret", "issues": [)" + Joined(issues) + R"(], "pulls": [)" +
              Joined(pulls) + "],\n" + kWorldHistory + "}",
          landed};
}

class PlanContract : public ContractTest {
 protected:
  CollectOutcome Run(const std::string& world, const std::vector<int64_t>& landed, const std::string& first_day,
                     const std::string& token = "secret") {
    fake_ = std::make_unique<FakeGithub>(folder_ / "fake", world);
    auto http = MakeCurlHttp({.user_agent = "xpu-align/test"});
    auto github = *MakeGithubSource(
        {.api_url = fake_->Base(), .repository = "pytorch/pytorch", .token = BearerToken(token)}, *http, clock_);
    ClonedHistory clone(landed);
    const CollectRequest request{.repository = "pytorch/pytorch",
                                 .window = {.start = *ParseDate(first_day), .end = *ParseDate("2026-11-29")}};
    auto outcome = Collect(request, {*github, &clone, store_, progress_}, {PassAll, {}, {}});
    EXPECT_TRUE(outcome) << outcome.error().message;
    return outcome.value_or(CollectOutcome{});
  }

  // In all; and collection.json agrees with the server's own count of each.
  int64_t Requests() {
    const Json said = store_.ReadJson(paths::kCollection)["requests"];
    const auto saw = [&](const char* prefix) { return static_cast<int64_t>(fake_->Lines(prefix).size()); };
    EXPECT_EQ(said.IntOr("core"), saw("GET /repos/") + saw("GET /repositories/"));
    EXPECT_EQ(said.IntOr("search"), saw("GET /search/"));
    EXPECT_EQ(said.IntOr("graphql"), saw("POST /graphql"));
    const auto all = static_cast<int64_t>(fake_->Log().size());
    EXPECT_EQ(all, said.IntOr("core") + said.IntOr("search") + said.IntOr("graphql"));
    return all;
  }
  Details DetailsOf(const char* id) {
    return *DetailsFromJson(store_.ReadJson(paths::Details(*CandidateId::Parse(id))));
  }

  ManualClock clock_{"2026-11-30T06:00:00Z"};
  RecordedProgress progress_;
  MemoryRunStore store_;
  std::unique_ptr<FakeGithub> fake_;
};

TEST_F(PlanContract, DayOf200EventsTakesAtMost15Requests) {
  const Busy day = BusyDays(1);
  const CollectOutcome outcome = Run(day.world, day.landed, "2026-11-29");
  EXPECT_EQ(outcome.incomplete, std::vector<std::string>{});
  EXPECT_EQ(outcome.candidates, 260u);  // 200 created, 30 landed, 30 commits
  EXPECT_EQ(outcome.detailed, 260u);
  const int64_t requests = Requests();
  EXPECT_EQ(requests, 11);  // lists 3, counts 2, landed 1, issues 2, pull requests 3
  EXPECT_LE(requests, 15);
  EXPECT_EQ(fake_->Stop(), 0);
}

TEST_F(PlanContract, WeekTakesAtMost105Requests) {
  const Busy week = BusyDays(7);
  const CollectOutcome outcome = Run(week.world, week.landed, "2026-11-23");
  EXPECT_EQ(outcome.incomplete, std::vector<std::string>{});
  EXPECT_EQ(outcome.candidates, 7 * 260u);
  EXPECT_EQ(outcome.detailed, 7 * 260u);
  const int64_t requests = Requests();
  EXPECT_EQ(requests, 55);  // lists 15, counts 2, landed 5, issues 12, pull requests 21
  EXPECT_LE(requests, 105);
  EXPECT_EQ(fake_->Stop(), 0);
}

TEST_F(PlanContract, NothingLongerThanAPageIsLost) {
  EXPECT_EQ(Run(LargeNight(), {9, 201}, "2026-11-29").incomplete, std::vector<std::string>{});
  ASSERT_EQ(DetailsOf("issue-101").comments.size(), 1u);
  EXPECT_EQ(DetailsOf("issue-101").comments[0].body, UntrustedText("more facts"));  // the 61st
  EXPECT_EQ(DetailsOf("issue-104").links.size(), 54u);
  EXPECT_EQ(DetailsOf("issue-106").labels.size(), 40u);
  EXPECT_EQ(DetailsOf("issue-105").fetch_failure, "HTTP 410");
  EXPECT_LE(Requests(), 15);
  EXPECT_EQ(fake_->Stop(), 0);
}

TEST_F(PlanContract, WithoutATokenOnlyRestIsAskedAndACapIsPartial) {
  std::string world = SmallNight();
  world.insert(world.rfind('}'),
               R"(, "faults": [{"on": "GET /repos/pytorch/pytorch/issues/101", "times": 9, "status": 403,
    "headers": {"x-ratelimit-remaining": "0", "x-ratelimit-reset": ")" +
                   std::to_string(clock_.NowSeconds() + 3000) + R"("}}])");
  const CollectOutcome outcome = Run(world, {9, 201}, "2026-11-29", "");
  ASSERT_EQ(outcome.incomplete.size(), 1u);
  EXPECT_EQ(outcome.incomplete[0],
            "details: GitHub: primary rate limit: 3001 s to wait, 600 s left of the wait budget");
  EXPECT_TRUE(fake_->Lines("POST").empty());
  EXPECT_GT(Requests(), 0);
  EXPECT_EQ(fake_->Stop(), 0);
}

TEST_F(PlanContract, ReserveOfASharedAllowanceIsNotTouched) {
  std::string world = LargeNight();
  world.insert(world.rfind('}'), R"(, "rate": {"graphql": 51})");
  EXPECT_EQ(Run(world, {9, 201}, "2026-11-29").incomplete, std::vector<std::string>{});
  EXPECT_EQ(clock_.waits, std::vector<int64_t>{61'000});  // 49 were left after two: till the reset, before the third
  EXPECT_EQ(fake_->Stop(), 0);
}

}  // namespace
}  // namespace xpu_align
