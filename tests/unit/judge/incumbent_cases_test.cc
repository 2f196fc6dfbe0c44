// One case and more for each failure mode in evidence and oracle that an earlier automation had (numbers 1 to 11
// of the background notes); each says which of our rules stops it.
#include "support/judge_cases.h"

namespace xpu_align::judge_cases {

std::vector<Case> IncumbentCases() {
  const Oracle lowering = Exception("RuntimeError", "can not lower stride 3", {Torch("_inductor/lowering.py", "view")});
  const Attempt same_text_in_eager = Raised("RuntimeError", "can not lower stride 4", {Script(), Torch("_refs/__init__.py", "view")});
  return {
      {"mode_01_absent_api_is_no_failure",
       {Bucket::kBlockedEnv, "adaptation-error:absent-api"},
       Reports(Exception("AttributeError", "module 'torch' has no attribute 'brand_new'")),
       Twice(Raised("AttributeError", "module 'torch' has no attribute 'brand_new'")).Cpu(Clean())},
      {"mode_01_absent_parameter_is_no_failure",
       {Bucket::kBlockedEnv, "adaptation-error:absent-parameter"},
       Reports(Exception("RuntimeError", "softmax fails")),
       Twice(Raised("TypeError", "softmax() got an unexpected keyword argument 'fresh'"))},
      {"mode_03_cpu_tensors_are_no_evidence",
       {Bucket::kBlockedScriptError, "no-device-proof"},
       Reports(Exception("RuntimeError", "expected 3 but got 4")),
       Twice(WithoutProof(Raised("RuntimeError", "expected 3 but got 4")))},
      {"mode_04_device_free_bug_is_marked_cpu_same",
       {Bucket::kConfirmed, "signature-match", "same", true},
       Reports(Exception("RuntimeError", "expected 3 but got 4")),
       Twice(Raised("RuntimeError", "expected 3 but got 4")).Cpu(Raised("RuntimeError", "expected 3 but got 4"))},
      {"mode_05_fallback_is_read_from_the_output_by_the_judge",
       {Bucket::kBlockedScriptError, "cpu-fallback"},
       Reports(OfKind(OracleKind::kHang)),
       Seen({Clean("UserWarning: The operator 'aten::linalg_eig on the testdev backend is falling back to run on the CPU.")})},
      {"mode_05_fallback_in_the_proof_run_counts",
       {Bucket::kBlockedScriptError, "cpu-fallback"},
       Reports(OfKind(OracleKind::kHang)),
       [] {
         Attempt proof = Proof({{"testdev", 2}});
         proof.report.fallback_operators = {"aten::geqrf"};
         return Seen({Clean(), proof});
       }()},
      {"mode_06_numbers_are_never_compared_with_a_tolerance_of_ours",
       {Bucket::kNotReproduced, "clean-finish"},
       Reports(OfKind(OracleKind::kComparison, "max difference 0.0003")),
       Twice(Clean("max difference 0.0003\n")).Cpu(Clean("max difference 0.0\n"))},
      {"mode_07_another_stage_is_another_failure",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       Reports(lowering, CompileUse::kCompiled),
       Twice(Compiled(same_text_in_eager)).Eager(Clean())},
      {"mode_07_outer_class_alone_is_not_the_same_failure",
       {Bucket::kBlockedEnv, "adaptation-error:compiler-failed"},
       Reports(Exception("InductorError", "LoweringException: AssertionError: no size"), CompileUse::kCompiled),
       Twice(Compiled(Raised("torch._inductor.exc.InductorError", "CppCompileError: C++ compile error",
                             {Script(), Torch("_inductor/cpp_builder.py", "run")})))},
      {"mode_08_it_raises_is_no_oracle",
       {Bucket::kBlockedScriptError, "unrelated-failure"},
       Reports(Exception("RuntimeError", "expected a contiguous weight")),
       Twice(Raised("RuntimeError", "invalid argument to the kernel")).Cpu(Raised("RuntimeError", "bad weight"))},
      {"mode_10_generic_test_is_not_traceable",
       {Bucket::kBlockedScriptError, "untraceable-script"},
       [] {
         Composition invented = Reports(Exception("RuntimeError", "expected 3 but got 4"));
         invented.spans.clear();
         return invented;
       }(),
       Twice(Raised("RuntimeError", "expected 3 but got 4"))},
      {"mode_11_cpu_branch_of_the_script_is_no_pass",
       {Bucket::kBlockedScriptError, "no-device-proof"},
       Reports(Exception("RuntimeError", "expected 3 but got 4")),
       Seen({WithoutProof(Clean("no device, using the CPU\n"))})},
  };
}

}  // namespace xpu_align::judge_cases
