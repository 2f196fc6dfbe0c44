// The fixture of the tests of execute: one run directory in memory with candidates that are ready to run.
#pragma once
#include "digest/sha256.h"
#include "model/schema.h"
#include "pipeline/execute.h"
#include "support/judge_cases.h"
#include "unit/pipeline/execute_world.h"

namespace xpu_align {

class ExecuteTest : public testing::Test {
 protected:
  ExecuteTest() {
    target_.name = target_.device = "xpu";
    target_.module = "torch.xpu";
    target_.availability = "torch.xpu.is_available()";
    PreflightDecides(Isolation::kForkServer);
  }
  void PreflightDecides(Isolation isolation) {
    store_.files["artifacts/environment.json"] = WriteJson(Json()
                                                               .Set("schema", SchemaOf("environment"))
                                                               .Set("torch_version", "2.15")
                                                               .Set("sandbox_level", "namespaces")
                                                               .Set("isolation", Name(isolation)));
  }

  void Add(const char* id, CompileUse compile_use = CompileUse::kEager, std::optional<Refusal> refusal = std::nullopt,
           Oracle oracle = judge_cases::Exception("ValueError", "m")) {
    const auto parsed = *CandidateId::Parse(id);
    store_.rows.insert_or_assign(parsed, LedgerRow{.id = parsed, .deep_status = DeepStatus::kPass});
    Composition composition{.id = parsed};
    composition.compile_use = compile_use;
    composition.refusal = refusal;
    composition.target = target_.name;
    composition.spans = {{"body", 1, 9, std::string(64, 'c')}};
    composition.oracle = std::move(oracle);
    composition.script_sha256 = Sha256Hex(std::string("script of ") + id);
    composition.reference_script_sha256 = Sha256Hex(std::string("reference of ") + id);
    store_.files[paths::Composition(parsed)] = WriteJson(ToJson(composition));
    store_.files[paths::Script(parsed)] = std::string("script of ") + id;
    store_.files[paths::ReferenceScript(parsed)] = std::string("reference of ") + id;
  }
  void ExpectCanaries(bool compiled = false) {
    runner_.Expect("canary_import.py target verdict process", Exited(0));
    runner_.Expect("canary_eager.py target verdict process", Exited(0));
    if (compiled) runner_.Expect("canary_compiled.py target verdict process", Exited(0));
  }
  void ExpectHealthy() { runner_.Expect("canary_eager.py target verdict process", Exited(0)); }
  void ExpectCleanRun(const std::string& id) {
    runner_.Expect("repro_" + id + ".py target verdict fork-server", Exited(0));
    runner_.Expect("repro_" + id + ".py target proof fork-server", Exited(0));
  }
  Result<ExecuteSummary> Run() {
    const Judge judge = judge_cases::MakeJudge(target_);
    return Execute({judge, attempts_, asked_for_, budget_millis_, recover_}, store_, runner_, clock_, progress_);
  }
  const LedgerRow& Row(const char* id) { return store_.rows.at(*CandidateId::Parse(id)); }
  Evidence EvidenceOf(const std::string& id) {
    return *EvidenceFromJson(*ParseJson(store_.files.at("artifacts/evidence/" + id + ".json")));
  }
  std::vector<std::string> Kinds(const Evidence& evidence) {
    std::vector<std::string> kinds;
    for (const Attempt& a : evidence.attempts)
      kinds.push_back(std::string(Name(a.arm)) + " " + std::string(Name(a.role)) + std::to_string(a.number) + " " +
                      a.isolation);
    return kinds;
  }

  TargetProfile target_;
  AttemptSettings attempts_;
  std::optional<Isolation> asked_for_;
  int64_t budget_millis_ = 0;
  std::function<Status()> recover_;
  MemoryStore store_;
  StrictRunner runner_;
  VirtualClock clock_;
  SilentProgress progress_;
};

}  // namespace xpu_align
