// A world for execute and preflight: files in memory, a clock that only remembers, and a sandbox that
// answers as told. The runner is strict: a call that was not expected fails, and so does one that did
// not come.
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <map>

#include "ports/clock.h"
#include "ports/progress.h"
#include "ports/run_store.h"
#include "ports/sandbox_runner.h"

namespace xpu_align {

class MemoryStore : public RunStore {
 public:
  Result<std::string> Read(std::string_view path) override {
    const auto found = files.find(path);
    if (found == files.end()) return Fail(ErrorKind::kNotFound, "no " + std::string(path));
    return found->second;
  }
  Status Write(std::string_view path, std::string_view bytes) override {
    files.insert_or_assign(std::string(path), std::string(bytes));
    return {};
  }
  bool Exists(std::string_view path) override { return files.contains(path); }
  std::vector<std::string> List(std::string_view) override { return {}; }
  Status Remove(std::string_view path) override {
    if (const auto found = files.find(path); found != files.end()) files.erase(found);
    return {};
  }
  Result<std::vector<LedgerRow>> LoadLedger() override {
    std::vector<LedgerRow> out;
    for (const auto& [id, row] : rows) out.push_back(row);
    return out;
  }
  Status Append(const LedgerRow& row, Durability durability) override {
    EXPECT_EQ(durability, Durability::kNow);
    appended.push_back(row.id.Text());
    rows.insert_or_assign(row.id, row);
    return {};
  }
  Status CompactLedger() override { return {}; }

  std::map<std::string, std::string, std::less<>> files;
  std::map<CandidateId, LedgerRow> rows;
  std::vector<std::string> appended;
};

class VirtualClock : public Clock {
 public:
  int64_t NowSeconds() override { return now_seconds; }
  int64_t MonotonicMillis() override { return monotonic_millis; }
  Status SleepMillis(int64_t millis) override {
    if (millis > 0) slept.push_back(millis);
    return {};
  }
  int64_t now_seconds = 0;
  int64_t monotonic_millis = 0;
  std::vector<int64_t> slept;
};

class SilentProgress : public Progress {
 public:
  void StageStarted(const std::string&, size_t total) override { expected = total; }
  void Step(const std::string&) override {}
  void StageFinished(const std::string&) override {}
  void Note(const std::string& text) override { notes.push_back(text); }
  void Warn(const std::string& text) override { warnings.push_back(text); }
  void Working(const std::string& what, int64_t limit_millis) override {
    working.push_back(what + " " + std::to_string(limit_millis));
  }
  void Left(std::optional<int64_t> millis) override { left.push_back(millis); }
  size_t expected = 0;
  std::vector<std::string> working;
  std::vector<std::optional<int64_t>> left;
  std::vector<std::string> notes, warnings;
};

class StrictRunner : public SandboxRunner {
 public:
  ~StrictRunner() override {
    for (const auto& [call, result] : expected_) ADD_FAILURE() << "not called: " << call;
  }

  // "<file> <arm> <role> <isolation>[ NAME=value]", in the order in which they must come.
  void Expect(const std::string& call, Result<AttemptResult> result) {
    expected_.emplace_back(call, std::move(result));
  }

  Result<AttemptResult> Run(const AttemptRequest& request) override {
    std::string call = request.file_name + " " + std::string(xpu_align::Name(request.arm)) + " " +
                       std::string(xpu_align::Name(request.role)) + " " +
                       std::string(xpu_align::Name(request.isolation));
    for (const auto& [name, value] : request.environment) call += " " + name + "=" + value;
    requests.push_back(request);
    if (on_run) on_run(request);
    if (expected_.empty()) {
      ADD_FAILURE() << "unexpected: " << call;
      return Fail(ErrorKind::kSandbox, "unexpected call");
    }
    EXPECT_EQ(call, expected_.front().first);
    auto result = std::move(expected_.front().second);
    expected_.pop_front();
    if (result) result->isolation = request.isolation;
    return result;
  }
  Result<std::string> SelfTest() override { return self_test; }
  Result<InterpreterFacts> Probe() override { return probe; }

  Result<std::string> self_test = "namespaces+landlock+seccomp";
  Result<InterpreterFacts> probe = InterpreterFacts{};
  std::vector<AttemptRequest> requests;
  std::function<void(const AttemptRequest&)> on_run;

 private:
  std::deque<std::pair<std::string, Result<AttemptResult>>> expected_;
};

inline AttemptResult Exited(int status, const std::string& output = "", const std::string& exception = "") {
  AttemptResult result;
  result.outcome = {OutcomeKind::kExited, status, "", ""};
  result.output = output;
  result.report.complete = true;
  if (!exception.empty()) result.report.exception = RaisedException{.type = exception, .message = UntrustedText("m")};
  result.duration_millis = 12;
  return result;
}

inline AttemptResult Ended(OutcomeKind kind, const std::string& signal = "") {
  AttemptResult result;
  result.outcome = {kind, 0, signal, ""};
  return result;
}

}  // namespace xpu_align
