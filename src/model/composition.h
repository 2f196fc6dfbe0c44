// Composition: how a script came to be: strategy, source spans, edits, what its failure must look like
// (the oracle), or why it must not run (the refusal). Written by compose to
// artifacts/compositions/<id>.json; read by execute, judge, report and explain.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/candidate.h"

namespace xpu_align {

// A run of lines of one part of the details, with the hash of its bytes.
struct SourceSpan {
  std::string part;  // body, comment:<index>, patch:<path>
  int first_line = 0, last_line = 0;  // 1-based, inclusive, in that part
  std::string sha256;
};

// One replacement in the upstream code. Offsets are bytes of the code as taken from the spans, after
// repairs; everything outside edits is byte-identical.
struct Edit {
  std::string rule;
  int line = 0;  // 1-based
  size_t begin = 0, end = 0;
  UntrustedText before;
  std::string after;
};

// A repair that was needed before the text parsed as Python.
struct Repair {
  std::string rule;
  int line = 0;
};

enum class OracleKind {
  kNone,          // the report gives no observable failure
  kException,     // an uncaught exception: type, message, frame
  kAssertion,     // an assertion of the script or of torch.testing fails
  kComparison,    // two values that must agree are printed or compared
  kNonFinite,     // NaN or infinity where there should be none
  kCrash,         // the process dies by a signal
  kHang,          // the report says that it hangs
  kMissingError,  // an error should be raised and is not
};
std::string_view Name(OracleKind kind);
std::optional<OracleKind> OracleKindNamed(std::string_view name);

struct Frame {
  std::string file;  // as printed, without machine-specific prefix: torch/_inductor/lowering.py
  std::string function;
  int line = 0;
  bool operator==(const Frame&) const = default;
};

struct Oracle {
  OracleKind kind = OracleKind::kNone;
  std::string exception_type;       // RuntimeError, torch._dynamo.exc.BackendCompilerFailed
  UntrustedText message;            // as reported
  std::vector<Frame> frames;        // of the reported traceback, outermost first
  std::string signal;               // SIGSEGV, SIGABRT, SIGFPE
  std::string source;               // where it was found: body:traceback, body:heading, script:assert
  UntrustedText text;               // the upstream line that says it, for the report
};

// Why a script must not run as evidence; the bucket follows from the rule (design 5, precheck).
enum class Refusal {
  kAbsentApiOracle,
  kSourceTextOracle,
  kNoTargetOperation,
  kBroadExcept,
  kPerfOnly,
  kNoOracle,
  kNeedsMultiDevice,
  kNeedsModel,
  kNeedsFile,
  kNoCounterpart,
  kNotPython,  // no repair makes the text parse
  kUnsafeHarnessAccess,  // touches the evidence channel or file descriptors of the harness
};
std::string_view Name(Refusal refusal);
std::optional<Refusal> RefusalNamed(std::string_view name);

enum class CompileUse { kEager, kCompiled };  // does the script call torch.compile or relatives

struct Composition {
  CandidateId id;
  std::string target;    // target profile name
  std::string strategy;  // reported-script, upstream-test, sliced-test, test-body, none
  std::vector<SourceSpan> spans;
  std::vector<Repair> repairs;
  std::vector<Edit> edits;
  Oracle oracle;
  CompileUse compile_use = CompileUse::kEager;
  std::optional<Refusal> refusal;
  std::string refusal_text;  // one line for people, naming the symbol or line
  std::vector<std::string> device_positions;  // where the device came from: literal, injected, default-device
  std::vector<std::string> notes;
  std::string script_sha256;
  std::string reference_script_sha256;  // the same script for the CPU arm; empty when there is none
  Json other;
};

Json ToJson(const Composition& composition);
Result<Composition> CompositionFromJson(const Json& json);
Json ToJson(const Frame& frame);
Frame FrameFromJson(const Json& json);

}  // namespace xpu_align
