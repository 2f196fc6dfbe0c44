#include "judge/signature.h"

#include <algorithm>
#include <optional>

#include "digest/sha256.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr std::string_view kScript = "<script>";

std::string LastComponent(std::string_view type) {
  const size_t dot = type.rfind('.');
  return std::string(dot == std::string_view::npos ? type : type.substr(dot + 1));
}

bool IsTorchFile(std::string_view file) { return file.starts_with("torch/") || file.starts_with("functorch/"); }

bool AnyFound(const std::vector<Pattern>& patterns, const Frame& frame) {
  const std::string text = frame.file + ":" + frame.function;
  return std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& p) { return p.FoundIn(text); });
}

Frame NearestTorchFrame(const std::vector<Frame>& frames, const FrameRules& rules) {
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (frame->file == kScript) return {};  // the script itself raised: torch frames further out only call it
    if (!IsTorchFile(frame->file)) continue;
    if (AnyFound(rules.synchronising, *frame)) return {};
    if (!AnyFound(rules.passing, *frame)) return {frame->file, frame->function, 0};
  }
  return {};
}

// The innermost frame that belongs to a part of the compiler decides. eval_frame.py stands around every call of a
// compiled function and torch hides the frames below it, so alone it leaves open where the error came from.
Stage StageOfFrames(const std::vector<Frame>& frames) {
  bool compiled_call = false;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    const std::string_view file = frame->file;
    if (file == "<generated>" || file.find("torchinductor") != std::string_view::npos || file.starts_with("torch/_inductor/runtime/") ||
        file == "torch/_inductor/output_code.py" || file.ends_with("_aot_autograd/runtime_wrappers.py"))
      return Stage::kRuntime;
    if (file.starts_with("torch/_inductor/")) return Stage::kInductor;
    if (file.starts_with("torch/_functorch/_aot_autograd/") || file == "torch/_functorch/aot_autograd.py")
      return Stage::kAot;
    if (file == "torch/_dynamo/eval_frame.py") compiled_call = true;
    else if (file.starts_with("torch/_dynamo/")) return Stage::kDynamo;
  }
  return compiled_call || frames.empty() ? Stage::kUnknown : Stage::kEager;
}

Stage StageOf(std::string_view type, const std::vector<Frame>& frames) {
  const Stage of_frames = StageOfFrames(frames);
  if (of_frames != Stage::kUnknown && of_frames != Stage::kEager) return of_frames;
  const std::string name = LastComponent(type);
  for (const std::string_view inductor : {"InductorError", "LoweringException", "CppCompileError"})
    if (name == inductor) return Stage::kInductor;
  for (const std::string_view dynamo : {"Unsupported", "InternalTorchDynamoError", "TorchRuntimeError",
                                        "FailOnRecompileLimitHit", "RecompileLimitExceeded", "UserError"})
    if (name == dynamo) return Stage::kDynamo;
  // Wraps what any stage of a backend raised; a report that keeps only its own frames does not say which.
  if (name == "BackendCompilerFailed") return Stage::kUnknown;
  return of_frames;
}

// What a wrapping exception quotes: "backend='inductor' raised:\nRuntimeError: text", "AssertionError: text".
std::optional<std::pair<std::string, std::string_view>> Quoted(std::string_view message) {
  static const Pattern quoted = Pattern::Constant(R"((?:^|raised:\s*)([A-Za-z_][\w.]*(?:Error|Exception|Unsupported)): )");
  const auto match = quoted.Find(message);
  if (!match) return std::nullopt;
  return std::pair(std::string(match->groups[1]), message.substr(match->offset + match->groups[0].size()));
}

std::string OperatorIn(std::string_view message) {
  static const Pattern named = Pattern::Constant(R"(\baten(?:::|\.)([a-z_0-9]+))");
  const auto match = named.Find(message);
  return match ? std::string(match->groups[1]) : "";
}

std::string MismatchIn(std::string_view message) {
  static const Pattern count = Pattern::Constant(R"(Mismatched elements: (\d+ / \d+))");
  static const Pattern greatest = Pattern::Constant(R"(Greatest (absolute|relative) difference: (\S+))");
  const auto counted = count.Find(message);
  if (!counted) return "";
  std::string text(counted->groups[1]);
  for (const PatternMatch& match : greatest.FindAll(message))
    text += ", " + std::string(match.groups[1]) + " " + std::string(match.groups[2]);
  return text;
}

void AddException(std::string_view type, std::string_view message, const Normaliser& normaliser,
                  FailureSignature* out) {
  out->exceptions.emplace_back(LastComponent(type), normaliser.Apply(message));
  out->first_lines.push_back(normaliser.Apply(FirstLine(message)));
  if (out->aten_operator.empty()) out->aten_operator = OperatorIn(message);
  if (out->mismatch.empty()) out->mismatch = MismatchIn(message);
  if (const auto quoted = Quoted(message); quoted && out->exceptions.size() < 8)
    AddException(quoted->first, quoted->second, normaliser, out);
}

void AddFrames(std::string_view type, const std::vector<Frame>& frames, const FrameRules& rules,
               FailureSignature* out) {
  out->torch_frame = NearestTorchFrame(frames, rules);
  out->stage = StageOf(type, frames);
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (frame->file == kScript) {
      out->raised_in_script = true;
      out->script_function = frame->function;
      break;
    }
    if (!frame->file.starts_with("torch/testing/") && !frame->file.starts_with("unittest/")) break;
  }
}

Agreement MessageAgreement(const FailureSignature& a, size_t i, const FailureSignature& b, size_t j) {
  const std::string& whole_a = a.exceptions[i].second;
  const std::string& whole_b = b.exceptions[j].second;
  if (whole_a.empty() || whole_b.empty()) return Agreement::kNotComparable;
  if (whole_a == whole_b) return Agreement::kAgrees;
  const bool similar = Similarity(whole_a, whole_b) >= kSimilarEnough ||
                       Similarity(a.first_lines[i], b.first_lines[j]) >= kSimilarEnough;
  return similar ? Agreement::kAgrees : Agreement::kDiffers;
}

int Weight(Agreement agreement) { return agreement == Agreement::kAgrees ? 1 : 0; }

}  // namespace

std::string_view Name(Stage stage) {
  switch (stage) {
    case Stage::kUnknown: return "unknown";
    case Stage::kEager: return "eager";
    case Stage::kDynamo: return "dynamo";
    case Stage::kAot: return "aot";
    case Stage::kInductor: return "inductor";
    case Stage::kRuntime: return "runtime";
  }
  CHECK(false);
}

std::string_view Name(Agreement agreement) {
  switch (agreement) {
    case Agreement::kNotComparable: return "not comparable";
    case Agreement::kAgrees: return "agrees";
    case Agreement::kDiffers: return "differs";
  }
  CHECK(false);
}

std::string FailureSignature::Text() const {
  if (fault_class == "gpu-fault") return "gpu-fault" + (signal.empty() ? "" : " (" + signal + ")");
  std::string text = signal;  // of a crash, whose exception, if any, has the signal as its type
  if (HasException()) {
    const auto& [type, message] = exceptions.front();
    text = type + (message.empty() ? "" : ": " + message);
  }
  return UntrustedText(text).ForLogLine(300);
}

FailureSignature SignatureOfException(const RaisedException& raised, const FrameRules& frames,
                                      const Normaliser& normaliser) {
  FailureSignature out;
  AddException(raised.type, raised.message.ForMatching(), normaliser, &out);
  for (const auto& [type, message] : raised.causes) AddException(type, message.ForMatching(), normaliser, &out);
  AddFrames(raised.type, raised.frames, frames, &out);
  return out;
}

FailureSignature SignatureOfOracle(const Oracle& oracle, const FrameRules& frames, const Normaliser& normaliser) {
  FailureSignature out;
  if (!oracle.exception_type.empty())
    AddException(oracle.exception_type, oracle.message.ForMatching(), normaliser, &out);
  AddFrames(oracle.exception_type, oracle.frames, frames, &out);
  out.signal = oracle.signal;
  return out;
}

bool Comparison::Matches() const {
  return Weight(type) + Weight(message) + Weight(frame) >= 2 && stage != Agreement::kDiffers;
}

std::string Comparison::Text() const {
  std::string text = "type " + std::string(Name(type)) + ", message " + std::string(Name(message)) + ", torch frame " +
                     std::string(Name(frame)) + ", stage " + std::string(Name(stage));
  if (same_mismatch) text += ", the same mismatch numbers";
  return text;
}

Comparison Compare(const FailureSignature& reported, const FailureSignature& seen) {
  Comparison best;
  int best_weight = -1;
  for (size_t i = 0; i < reported.exceptions.size(); ++i)
    for (size_t j = 0; j < seen.exceptions.size(); ++j) {
      Comparison current;
      current.type = reported.exceptions[i].first == seen.exceptions[j].first ? Agreement::kAgrees : Agreement::kDiffers;
      current.message = MessageAgreement(reported, i, seen, j);
      // A message counts for its own exception only: an equal text under another type is a rephrasing at best.
      const int weight = 2 * Weight(current.type) + Weight(current.message);
      if (weight > best_weight) {
        best = current;
        best_weight = weight;
      }
    }
  if (!reported.torch_frame.file.empty() && !seen.torch_frame.file.empty())
    best.frame = reported.torch_frame.file == seen.torch_frame.file &&
                         reported.torch_frame.function == seen.torch_frame.function
                     ? Agreement::kAgrees
                     : Agreement::kDiffers;
  if (reported.stage != Stage::kUnknown && seen.stage != Stage::kUnknown)
    best.stage = reported.stage == seen.stage ? Agreement::kAgrees : Agreement::kDiffers;
  best.same_mismatch = !reported.mismatch.empty() && reported.mismatch == seen.mismatch;
  return best;
}

bool IsDistinctive(const FailureSignature& seen) {
  if (!seen.torch_frame.function.empty() || !seen.aten_operator.empty()) return true;
  if (!seen.signal.empty() || !seen.mismatch.empty() || !seen.HasException()) return false;
  static const Pattern word = Pattern::Constant(R"([A-Za-z_]{3,})");
  constexpr size_t kEnoughWords = 3;
  return word.FindAll(seen.exceptions.front().second).size() >= kEnoughWords;
}

std::string FindingFingerprint(std::string_view target, OracleKind oracle, const FailureSignature& seen) {
  std::string type, message;
  if (seen.fault_class == "gpu-fault") {
    message = "gpu-fault";  // one class for all forms in which drivers say it
  } else {
    type = seen.HasException() ? seen.exceptions.front().first : seen.signal;
    message = seen.HasException() ? seen.exceptions.front().second : "";
  }
  std::string key;
  for (const std::string_view part : {target, Name(oracle), std::string_view(type), std::string_view(message),
                                      std::string_view(seen.torch_frame.function),
                                      std::string_view(seen.aten_operator)}) {
    key += part;
    key += '\n';  // normalised parts hold no line ends, so no two keys run together
  }
  return Sha256Hex(key);
}

}  // namespace xpu_align
