// Signature of a failure: exception type, normalised message, nearest torch frame, stage, signal, fault class;
// how two signatures compare; the fingerprint of a finding. Pure values; a type alone never makes two failures
// the same. Used by the rules of judge only.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/normalise.h"
#include "model/composition.h"
#include "model/evidence.h"
#include "text/pattern.h"

namespace xpu_align {

// Where a failure was raised. kRuntime: in compiled code. kUnknown neither agrees nor disagrees.
enum class Stage { kUnknown, kEager, kDynamo, kAot, kInductor, kRuntime };
std::string_view Name(Stage stage);

// Frames that say nothing about where a failure belongs; patterns are of judge.json.
struct FrameRules {
  // Errors of an asynchronous device surface at these: they neither agree nor disagree.
  std::vector<Pattern> synchronising;
  // Every call passes through these: the next frame outwards counts.
  std::vector<Pattern> passing;
};

struct FailureSignature {
  // Type (last component) and normalised message: of the exception, of its causes, and of what a wrapping
  // exception quotes. Outermost first.
  std::vector<std::pair<std::string, std::string>> exceptions;
  std::vector<std::string> first_lines;  // of the messages, normalised; same order
  Frame torch_frame;                     // file empty: none, or one that says nothing
  bool raised_in_script = false;         // the innermost frame is the script's, or torch.testing's called by it
  std::string script_function;           // of the innermost script frame
  Stage stage = Stage::kUnknown;
  std::string signal;
  std::string fault_class;     // gpu-fault, device-lost; empty: none
  std::string aten_operator;   // named by the message: aten::foo gives foo
  std::string mismatch;        // count and greatest differences that torch.testing printed; empty: none

  bool HasException() const { return !exceptions.empty(); }
  // For people: type and message, or the signal, or the fault class.
  std::string Text() const;
};

FailureSignature SignatureOfException(const RaisedException& raised, const FrameRules& frames,
                                      const Normaliser& normaliser);
FailureSignature SignatureOfOracle(const Oracle& oracle, const FrameRules& frames, const Normaliser& normaliser);

enum class Agreement { kNotComparable, kAgrees, kDiffers };
std::string_view Name(Agreement agreement);

struct Comparison {
  Agreement type = Agreement::kNotComparable;
  Agreement message = Agreement::kNotComparable;
  Agreement frame = Agreement::kNotComparable;
  Agreement stage = Agreement::kNotComparable;
  bool same_mismatch = false;  // both printed the same numbers

  // Two of type, message and frame agree and the stage does not differ.
  bool Matches() const;
  std::string Text() const;  // type agrees, message differs, ...
};
Comparison Compare(const FailureSignature& reported, const FailureSignature& seen);

// The signature names a place, an operator or a message of its own. Two bare crashes, time limits or failed
// assertions have equal fingerprints and are still two findings.
bool IsDistinctive(const FailureSignature& seen);

// Lower-case hex. No build, device or candidate id goes in: those are occurrences of a finding.
std::string FindingFingerprint(std::string_view target, OracleKind oracle, const FailureSignature& seen);

}  // namespace xpu_align
