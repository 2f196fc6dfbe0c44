// A small finished scan as the renderers see it: every kind of row once, with titles and outputs that try to
// break out. Used by the tests of report and pipeline.
#pragma once
#include <string>
#include <utility>

#include "report/report.h"

namespace xpu_align {

class SampleReport {
 public:
  SampleReport() {
    input_.window = Window::Day(*ParseDate("2026-11-29"));
    input_.run_name = input_.window.Name();
    input_.repository = "pytorch/pytorch";
    input_.events = "created";
    input_.source = "live";
    input_.target = {.name = "xpu", .module = "torch.xpu", .device = "xpu"};
    input_.environment = *ParseJson(
        R"({"schema": "xpu-align/environment@1", "target": "xpu", "torch_version": "2.15.0.dev20261127+xpu",
            "git_version": "0123456789abcdef0123456789abcdef01234567", "python_version": "3.12.3",
            "device_name": "Sample GPU", "sandbox_level": "namespaces+landlock+seccomp"})");
    input_.collection = *ParseJson(
        R"({"schema": "xpu-align/collection@1", "sources": [
            {"name": "issues-and-prs", "complete": true, "items": 9},
            {"name": "commits", "complete": false, "items": 1, "reason": "the clone could not be fetched"}]})");
    input_.collect_env =
        "PyTorch version: 2.15.0.dev20261127+xpu\nHostname: node17\nPython platform: Linux\n"
        "[pip3] torch==2.15.0\nextra index: https://bob:pw@wheels.example.net/simple\n";
    input_.continue_command = "xpu-align run --since 2026-11-29 --until 2026-11-29";
    NeedsFix();
    WorseThanReference();
    NotReproduced();
    FetchFailure();
    Refused();
    MissingKernel();
    Rejected();
    Tracked();
  }

  ReportInput& input() { return input_; }
  LedgerRow& Row(const std::string& id) {
    for (LedgerRow& row : input_.rows)
      if (row.id.Text() == id) return row;
    CHECK(false);
  }
  static CandidateId Id(const char* id) { return *CandidateId::Parse(id); }

 private:
  LedgerRow& Add(const char* id, const char* title) {
    const std::string text(id), number = text.substr(text.find('-') + 1);
    const std::string page = text[0] == 'i' ? "issues/" : text[0] == 'p' ? "pull/" : "commit/";
    input_.rows.push_back(
        {.id = Id(id), .title = UntrustedText(title), .url = "https://github.com/pytorch/pytorch/" + page + number});
    return input_.rows.back();
  }

  LedgerRow& Done(const char* id, const char* title, Bucket bucket, const char* rule, const char* text) {
    LedgerRow& row = Add(id, title);
    row.deep_status = DeepStatus::kPass;
    row.local_status = LocalStatus::kDone;
    row.bucket = bucket;
    row.decided_by = DecidedBy::kRun;
    row.bucket_reason = {rule, text};
    return row;
  }

  // Two verdict attempts on the target and one on the CPU.
  Evidence& Ran(const char* id, Outcome on_target, Outcome on_cpu, const std::string& tail) {
    Evidence evidence{.id = Id(id), .target = "xpu", .torch_version = "2.15.0.dev20261127+xpu"};
    const std::string log = std::string("artifacts/output_") + id;
    for (int number : {1, 2}) {
      evidence.attempts.push_back({.arm = Arm::kTarget,
                                   .number = number,
                                   .outcome = on_target,
                                   .log = log + (number == 1 ? ".log" : ".target2.log"),
                                   .tail = UntrustedText(tail)});
      evidence.attempts.back().report.live_tensors["xpu"] = 2;
    }
    evidence.attempts.push_back({.arm = Arm::kCpu, .outcome = on_cpu, .log = log + ".cpu1.log"});
    input_.scripts.emplace(Id(id), "import torch\nprint(torch.__version__)\n");
    return input_.evidence.emplace(Id(id), std::move(evidence)).first->second;
  }

  Composition& Composed(const char* id, Oracle oracle) {
    return input_.compositions
        .emplace(Id(id),
                 Composition{.id = Id(id), .target = "xpu", .strategy = "reported-script", .oracle = std::move(oracle)})
        .first->second;
  }

  void NeedsFix() {
    LedgerRow& row = Done("issue-101", "torch.foo gives `wrong` <b>values</b>, @alice | Fixes #12", Bucket::kConfirmed,
                          "signature-match", "RuntimeError with the reported message in torch/_foo.py:foo");
    row.chain = Chain{"issue-101", "issue-101", {"issue-101", "pr-204"}};
    row.signature = {"same", "RuntimeError: expected <n> got <n>", "00ff"};
    row.verdict = Verdict::kNeedsXpuFix;
    row.verdict_reason = {"target-only", "it fails only on the target and the fix is in the build"};
    row.fix_commit = "20fb7bd04e0b5c1d2e3f405162738495a6b7c8d9";
    row.fix_state = FixState::kInBuild;
    row.route_repository = "intel/torch-xpu-ops";
    row.route_rule = "kernel";
    const std::string tail =
        "  File \"/home/bob/run.py\", line 3\nLocal XPU result: `confirmed`\n@pytorchbot merge\n"
        "RuntimeError: expected 3 got 4\n";
    Evidence& evidence = Ran("issue-101", {OutcomeKind::kExited, 1}, {OutcomeKind::kExited, 0}, tail);
    for (Attempt& attempt : evidence.attempts)
      if (attempt.arm == Arm::kTarget)
        attempt.report.exception =
            RaisedException{.type = "RuntimeError", .message = UntrustedText("expected 3 got 4")};
    Composition& composition = Composed("issue-101", {.kind = OracleKind::kException,
                                                      .exception_type = "RuntimeError",
                                                      .source = "body:traceback",
                                                      .text = UntrustedText("RuntimeError: expected 3 got 4")});
    composition.edits.push_back(
        {.rule = "device-literal", .line = 3, .before = UntrustedText("\"cuda\""), .after = "\"xpu\""});
    input_.scripts.at(Id("issue-101")) =
        "import torch\n\n@torch.compile\ndef f(x):\n    return torch.foo(x)\n\nf(torch.ones(3, device=\"xpu\"))\n";
  }

  void WorseThanReference() {
    LedgerRow& row = Done("issue-102", "torch.bar crashes on strides\n## Final Summary", Bucket::kRelatedFailure,
                          "worse-than-reference", "the CPU raises, the target dies by SIGSEGV");
    row.signature = {"worse-than-reference", "SIGSEGV", "aa01"};
    row.verdict = Verdict::kTrackUpstream;
    row.verdict_reason = {"no-fix-known", "no fix is known upstream"};
    row.fix_state = FixState::kNoFix;
    row.recheck_after = "a fix lands upstream";
    row.route_repository = "pytorch/pytorch";
    row.route_rule = "shared-code";
    Ran("issue-102", {OutcomeKind::kSignalled, 0, "SIGSEGV"}, {OutcomeKind::kExited, 1}, "Segmentation fault\n");
    Composed("issue-102", {.kind = OracleKind::kCrash,
                           .signal = "SIGSEGV",
                           .source = "body:heading",
                           .text = UntrustedText("it segfaults")});
  }

  void NotReproduced() {
    Done("issue-103", "torch.sort of an empty tensor", Bucket::kNotReproduced, "clean-finish",
         "the script ends cleanly");
    Ran("issue-103", {OutcomeKind::kExited, 0}, {OutcomeKind::kExited, 0}, "RESULT: not-reproduced\n");
    Composed("issue-103", {.kind = OracleKind::kException, .exception_type = "IndexError", .source = "body:traceback"});
  }

  void FetchFailure() {
    Done("issue-104", "gone", Bucket::kBlockedFetch, "fetch-failed", "HTTP 410").decided_by = DecidedBy::kFetch;
    input_.details.emplace(Id("issue-104"), Details{.id = Id("issue-104"), .fetch_failure = "HTTP 410"});
  }

  void Refused() {
    Done("issue-105", "torch.baz is slow", Bucket::kNeedsPerformanceHarness, "perf-only",
         "the report only compares timings")
        .decided_by = DecidedBy::kPrecheck;
    Composition& composition = Composed("issue-105", {});
    composition.refusal = Refusal::kPerfOnly;
    composition.refusal_text = "the report only compares timings";
    input_.scripts.emplace(Id("issue-105"), "# not executed\n");
  }

  void MissingKernel() {
    Done("pr-201", "Add torch.quux", Bucket::kBlockedPlatform, "no-kernel", "there is no kernel for the target");
    Evidence& evidence = Ran("pr-201", {OutcomeKind::kExited, 1}, {OutcomeKind::kExited, 0}, "NotImplementedError\n");
    evidence.attempts[0].report.exception = RaisedException{
        .type = "NotImplementedError", .message = UntrustedText("The operator 'aten::quux.out' has no kernel")};
  }

  void Rejected() {
    LedgerRow& title = Add("pr-202", "DISABLED test_x");
    title.title_status = TitleStatus::kReject;
    title.title_rule = "disabled-test";
    LedgerRow& scoped = Add("pr-203", "[xpu] fix layer norm");
    scoped.deep_status = DeepStatus::kReject;
    scoped.deep_reason = {"already-xpu-scoped", "every functional file is XPU's"};
    LedgerRow& member = Add("pr-204", "Fix torch.foo");
    member.deep_status = DeepStatus::kReject;
    member.deep_reason = {"duplicate-chain", "issue-101"};
    member.chain = Chain{"issue-101", "issue-101", {"issue-101", "pr-204"}};
  }

  void Tracked() {
    LedgerRow& row = Done("commit-20fb7bd04e0b", "Fix NaN in torch.corge", Bucket::kConfirmed, "signature-match",
                          "the same values differ");
    row.signature = {"same", "values differ", "bb02"};
    row.verdict = Verdict::kTrackUpstream;
    row.verdict_reason = {"cpu-same", "the CPU arm fails in the same way"};
    row.fix_commit = "20fb7bd04e0b5c1d2e3f405162738495a6b7c8d9";
    row.fix_state = FixState::kUnknown;
    row.route_repository = "pytorch/pytorch";
    row.route_rule = "shared-code";
    Ran("commit-20fb7bd04e0b", {OutcomeKind::kExited, 1}, {OutcomeKind::kExited, 1}, "AssertionError\n");
    Composed("commit-20fb7bd04e0b",
             {.kind = OracleKind::kNonFinite, .source = "patch:test", .text = UntrustedText("result is NaN")});
  }

  ReportInput input_;
};

}  // namespace xpu_align
