// Cases of the rules that ask what sound evidence shows.
#include "support/judge_cases.h"

namespace xpu_align::judge_cases {
namespace {

const std::vector<Frame> kInFoo = {Script(), Torch("_foo.py", "foo")};
const std::vector<Frame> kInBar = {Script(), Torch("_bar.py", "bar")};
const Attempt kFails = Raised("RuntimeError", "expected 3 channels but got 4", kInFoo);
const Attempt kUnlike = Raised("ValueError", "stride is negative", kInBar);
const Attempt kSegv = Crashed("SIGSEGV");
const Attempt kProof = Proof({{"testdev", 5}});
const std::string kFaultLine = "Segmentation fault from GPU at 0xff00, ctx_id: 1 (CCS) type: 0 (NotPresent), aborting.\n";
const std::string kLost = "level_zero backend failed with error: 20 (UR_RESULT_ERROR_DEVICE_LOST)";
const Attempt kWrongValue = Raised("AssertionError", "Tensor-likes are not close!\n\nMismatched elements: 2 / 4 (50.0%)",
                                   {Script(), Torch("testing/_comparison.py", "assert_close")});

Composition Gated(Composition c) {
  c.notes = {"gate-opened: onlyCUDA"};
  return c;
}

}  // namespace

std::vector<Case> OutcomeCases() {
  const Composition reported = Reports(Exception("RuntimeError", "expected 5 channels but got 7", kInFoo));
  const Composition compiled = Reports(Exception("RuntimeError", "expected 5 channels but got 7"), CompileUse::kCompiled);
  const Composition crash = Reports(Crash("SIGSEGV"));
  const Composition hang = Reports(OfKind(OracleKind::kHang));
  const Composition missing = Reports({.kind = OracleKind::kMissingError, .exception_type = "ValueError"});
  const Composition assertion = Reports({.kind = OracleKind::kAssertion, .exception_type = "AssertionError"});
  const Composition comparison = Reports(OfKind(OracleKind::kComparison, "allclose: False"));
  const Composition non_finite = Reports(OfKind(OracleKind::kNonFinite, "tensor(nan)"));
  const Composition device_fault = Reports(Exception("RuntimeError", "CUDA error: an illegal memory access was encountered"));
  return {
      {"clean_finish", {Bucket::kNotReproduced, "clean-finish"}, reported, Seen({Clean()})},
      {"type_message_and_frame_agree", {Bucket::kConfirmed, "signature-match", "same"}, reported, Twice(kFails).Cpu(Clean())},
      {"type_and_message_agree_in_another_frame",
       {Bucket::kConfirmed, "signature-match", "same"},
       reported,
       Twice(Raised("RuntimeError", "expected 1 channels but got 2", kInBar))},
      {"type_and_frame_agree_with_another_message",
       {Bucket::kConfirmed, "signature-match", "same"},
       reported,
       Twice(Raised("RuntimeError", "weight has a wrong layout", kInFoo))},
      {"message_and_frame_agree_under_another_type",
       {Bucket::kConfirmed, "signature-match", "same"},
       reported,
       Twice(Raised("ValueError", "expected 1 channels but got 2", kInFoo))},
      {"frame_alone_is_not_enough",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       reported,
       Twice(Raised("ValueError", "stride is negative", kInFoo))},
      {"device_names_are_slots",
       {Bucket::kConfirmed, "signature-match", "same"},
       Reports(Exception("RuntimeError", "index is on cuda:0 while self is on CUDA")),
       Twice(Raised("RuntimeError", "index is on testdev:0 while self is on testdev"))},
      {"synchronising_frame_neither_agrees_nor_differs",
       {Bucket::kConfirmed, "signature-match", "same"},
       Reports(Exception("RuntimeError", "kernel failed with 3", {Torch("cuda/__init__.py", "synchronize")})),
       Twice(Raised("RuntimeError", "kernel failed with 7", {Script(), Torch("_tensor.py", "item")}))},
      {"synchronising_frame_is_no_second_vote",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       Reports(Exception("RuntimeError", "kernel failed", {Torch("cuda/__init__.py", "synchronize")})),
       Twice(Raised("RuntimeError", "queue is out of order", {Script(), Torch("cuda/__init__.py", "synchronize")}))},
      {"dispatching_frame_is_no_second_vote",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       Reports(Exception("RuntimeError", "kernel failed", {Torch("_ops.py", "__call__")})),
       Twice(Raised("RuntimeError", "queue is out of order", {Script(), Torch("_ops.py", "__call__")}))},
      {"cause_of_a_wrapping_exception_matches",
       {Bucket::kConfirmed, "signature-match", "same"},
       Reports(Exception("AssertionError", "size 3 of dim 1 is unbacked"), CompileUse::kCompiled),
       Twice(Compiled(Raised("torch._inductor.exc.InductorError", "AssertionError: size 4 of dim 2 is unbacked",
                             {Script(), Torch("_inductor/sizevars.py", "size_hint")})))
           .Eager(Clean())},
      {"error_that_only_the_last_synchronisation_shows",
       {Bucket::kConfirmed, "signature-match", "same"},
       Reports(Exception("RuntimeError", "kernel failed with 3")),
       [] {
         Attempt late = Clean();
         late.report.exit_sync_error = "RuntimeError: kernel failed with 9";
         return Twice(late);
       }()},
      {"cpu_fails_in_the_same_way",
       {Bucket::kConfirmed, "signature-match", "same", true},
       reported,
       Twice(kFails).Cpu(Raised("RuntimeError", "expected 3 channels but got 4", kInFoo))},
      {"eager_control_fails_in_the_same_way",
       {Bucket::kConfirmed, "signature-match", "same"},
       compiled,
       Twice(Compiled(kFails, 0)).Eager(kFails)},
      {"two_of_three_agree", {Bucket::kConfirmed, "signature-match", "same"}, reported, Seen({kFails, Clean(), kFails})},
      {"one_of_three_fails", {Bucket::kNotReproduced, "flaky"}, reported, Seen({kFails, Clean(), Clean()})},
      {"three_different_ends", {Bucket::kNotReproduced, "flaky"}, reported, Seen({kFails, kUnlike, Clean()})},
      {"gate_opened_caps", {Bucket::kRelatedFailure, "gate-opened", "same"}, Gated(reported), Twice(kFails)},
      {"gate_opened_leaves_other_buckets", {Bucket::kNotReproduced, "clean-finish"}, Gated(reported), Seen({Clean()})},
      {"assertion_of_the_script", {Bucket::kConfirmed, "script-assertion", "same"}, assertion, Twice(Raised("AssertionError", ""))},
      {"assert_close_called_by_the_script", {Bucket::kConfirmed, "script-assertion", "same"}, assertion, Twice(kWrongValue)},
      {"assertion_inside_torch_is_not_the_script_s",
       {Bucket::kRelatedFailure, "worse-than-reference", "worse-than-reference"},
       assertion,
       Twice(Raised("AssertionError", "", kInFoo)).Cpu(Clean())},
      {"assertion_reported_from_inside_torch",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       Reports({.kind = OracleKind::kAssertion, .exception_type = "AssertionError", .frames = kInFoo}),
       Twice(Raised("AssertionError", ""))},
      {"assertion_in_another_function",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       Reports({.kind = OracleKind::kAssertion, .exception_type = "AssertionError", .frames = {Script("test_a")}}),
       Twice(Raised("AssertionError", "", {Script("setup")}))},
      {"crash_as_reported", {Bucket::kConfirmed, "crash-signal", "same"}, crash, Seen({kSegv, kSegv, kProof})},
      {"crash_of_any_signal", {Bucket::kConfirmed, "crash-signal", "same"}, Reports(Crash("")), Seen({kSegv, kSegv, kProof})},
      {"crash_on_the_cpu_too",
       {Bucket::kConfirmed, "crash-signal", "same", true},
       crash,
       Seen({kSegv, kSegv, kProof}).Cpu(kSegv)},
      {"crash_by_another_signal",
       {Bucket::kRelatedFailure, "different-failure", "different"},
       crash,
       Seen({Crashed("SIGFPE"), Crashed("SIGFPE"), kProof})},
      {"device_fault_in_other_words",
       {Bucket::kConfirmed, "gpu-fault-match", "same"},
       device_fault,
       Twice(Crashed("SIGABRT", kFaultLine)).Cpu(Clean())},
      {"device_lost_where_a_fault_was_reported",
       {Bucket::kConfirmed, "gpu-fault-match", "same"},
       device_fault,
       Twice(Raised("RuntimeError", kLost)).Cpu(Clean())},
      {"device_lost_alone", {Bucket::kBlockedEnv, "device-lost-alone"}, reported, Twice(Raised("RuntimeError", kLost)).Cpu(Clean())},
      {"device_fault_not_reported",
       {Bucket::kRelatedFailure, "gpu-fault", "gpu-fault"},
       reported,
       Twice(Crashed("SIGABRT", kFaultLine))},
      {"device_fault_where_the_cpu_is_fine",
       {Bucket::kRelatedFailure, "worse-than-reference", "worse-than-reference"},
       reported,
       Twice(Crashed("SIGABRT", kFaultLine)).Cpu(Clean())},
      {"hang_as_reported", {Bucket::kConfirmed, "hang", "same"}, hang, Seen({TimedOut(), TimedOut(), kProof})},
      {"hang_on_the_cpu_too", {Bucket::kConfirmed, "hang", "same", true}, hang, Seen({TimedOut(), TimedOut(), kProof}).Cpu(TimedOut())},
      {"hang_that_ends_now", {Bucket::kNotReproduced, "clean-finish"}, hang, Seen({Clean()})},
      {"hang_that_was_not_reported",
       {Bucket::kRelatedFailure, "worse-than-reference", "worse-than-reference"},
       reported,
       Seen({TimedOut(), TimedOut(), kProof}).Cpu(Clean())},
      {"error_still_missing", {Bucket::kConfirmed, "missing-error", "same"}, missing, Twice(Clean()).Cpu(Raised("ValueError", "bad"))},
      {"error_missing_on_the_cpu_too", {Bucket::kConfirmed, "missing-error", "same", true}, missing, Twice(Clean()).Cpu(Clean())},
      {"missing_error_needs_two_attempts",
       {Bucket::kBlockedScriptError, "second-attempt-missing"},
       missing,
       Seen({Clean()})},
      {"error_now_raised", {Bucket::kNotReproduced, "error-raised"}, missing, Seen({Raised("ValueError", "bad")})},
      {"another_error_than_the_missing_one",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       missing,
       Seen({Raised("IndexError", "bad")})},
      {"prints_the_reported_line", {Bucket::kConfirmed, "reported-line", "same"}, comparison, Twice(Clean("allclose: False\n")).Cpu(Clean("allclose: True\n"))},
      {"prints_it_on_the_cpu_too",
       {Bucket::kConfirmed, "reported-line", "same", true},
       comparison,
       Twice(Clean("allclose: False\n")).Cpu(Clean("allclose: False\n"))},
      {"prints_the_line_once_of_two",
       {Bucket::kBlockedScriptError, "third-attempt-missing"},
       comparison,
       Seen({Clean("allclose: False\n"), Clean("allclose: True\n")})},
      {"prints_nan", {Bucket::kConfirmed, "reported-line", "same"}, non_finite, Twice(Clean("x\n tensor(nan) \n"))},
      {"nothing_is_compared",
       {Bucket::kBlockedScriptError, "nothing-compared"},
       [] {
         Composition prints = Reports(OfKind(OracleKind::kNonFinite, "the result is nan on the device"));
         prints.notes = {"the script compares nothing itself"};
         return prints;
       }(),
       Seen({Clean("tensor([1.5])\n")})},
      {"prints_the_opposite", {Bucket::kNotReproduced, "clean-finish"}, comparison, Seen({Clean("allclose: True\n")})},
      {"clean_error_where_a_crash_was_reported",
       {Bucket::kNotReproduced, "clean-error-for-crash"},
       crash,
       Seen({Raised("RuntimeError", "index 9 is out of bounds")})},
      {"internal_assert_is_no_clean_error",
       {Bucket::kRelatedFailure, "different-failure", "different"},
       crash,
       Twice(Raised("RuntimeError", "false INTERNAL ASSERT FAILED at \"a.cpp\":3"))},
      {"crash_where_the_cpu_raises",
       {Bucket::kRelatedFailure, "worse-than-reference", "worse-than-reference"},
       reported,
       Seen({kSegv, kSegv, kProof}).Cpu(kFails)},
      {"raises_where_the_cpu_returns",
       {Bucket::kRelatedFailure, "worse-than-reference", "worse-than-reference"},
       reported,
       Twice(kUnlike).Cpu(Clean())},
      {"two_different_catchable_errors",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       reported,
       Twice(kUnlike).Cpu(Raised("IndexError", "index 3 of 2"))},
      {"cpu_arm_that_fails_by_adaptation_is_no_reference",
       {Bucket::kRelatedFailure, "different-failure", "different"},
       reported,
       Seen({kSegv, kSegv, kProof}).Cpu(Raised("NameError", "name 'x' is not defined"))},
      {"cpu_arm_that_was_cut_off_is_no_reference",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       reported,
       Twice(kUnlike).Cpu(TimedOut())},
      {"wrong_value_where_an_error_was_reported",
       {Bucket::kRelatedFailure, "different-failure", "different"},
       reported,
       Twice(kWrongValue)},
      {"internal_assert_on_both_arms",
       {Bucket::kRelatedFailure, "different-failure", "different", true},
       reported,
       Twice(Raised("RuntimeError", "x INTERNAL ASSERT FAILED at \"a.cpp\":3"))
           .Cpu(Raised("RuntimeError", "x INTERNAL ASSERT FAILED at \"a.cpp\":3"))},
      {"exit_status_alone",
       {Bucket::kBlockedScriptError, "exit-status-alone"},
       reported,
       [] {
         Attempt status = Clean();
         status.outcome.exit_status = 1;
         return Seen({status});
       }()},
      {"reference_target_confirms_as_shared",
       {Bucket::kConfirmed, "signature-match", "same", true},
       Reports(Exception("RuntimeError", "expected 5 channels but got 7", kInFoo), CompileUse::kEager, "cpu"),
       Seen({WithoutProof(kFails), WithoutProof(kFails)}, "cpu"),
       CpuTarget()},
      {"reference_target_crash",
       {Bucket::kConfirmed, "crash-signal", "same", true},
       Reports(Crash("SIGSEGV"), CompileUse::kCompiled, "cpu"),
       Seen({kSegv, kSegv}, "cpu").Eager(WithoutProof(Clean())),
       CpuTarget()},
  };
}

}  // namespace xpu_align::judge_cases
