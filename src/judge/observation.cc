#include "judge/observation.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace xpu_align {
namespace {

// A path as the harness gives it: what is below a torch folder, else the script.
std::string ShortFile(std::string_view file) {
  for (const std::string_view root : {"/site-packages/", "/dist-packages/"})
    if (const size_t at = file.find(root); at != std::string_view::npos) return std::string(file.substr(at + root.size()));
  if (file.starts_with("torch/")) return std::string(file);
  return "<script>";
}

// The line of a crashed run that says what happened: an assertion, an uncaught C++ exception, a fault.
std::string_view CrashLine(std::string_view output, const JudgeData& data) {
  static const Pattern telling =
      Pattern::Constant(R"(INTERNAL ASSERT FAILED|^\s*what\(\):|Assertion .* failed|^Fatal Python error)");
  std::string_view found;
  for (size_t begin = 0; begin < output.size();) {
    const size_t end = std::min(output.find('\n', begin), output.size());
    const std::string_view line = output.substr(begin, end - begin);
    if (!data.FaultClass(line).empty()) return line;
    if (found.empty() && telling.FoundIn(line)) found = line;
    begin = end + 1;
  }
  return found;
}

void TakeException(const RaisedException& raised, const JudgeData& data, Observation* out) {
  out->failure = SignatureOfException(raised, data.frames, data.normaliser);
  out->failure.fault_class = data.FaultClass(raised.message.ForMatching());
  out->message = raised.message;
}

Observation ObserveExit(const Attempt& attempt, const JudgeData& data) {
  Observation out{.attempt = &attempt, .output = attempt.tail};
  const HarnessReport& report = attempt.report;
  if (report.exception) {
    out.ending = Ending::kRaised;
    TakeException(*report.exception, data, &out);
  } else if (!report.exit_sync_error.empty()) {
    // Raised by the harness's own synchronisation: no frame of it says anything about the bug.
    out.ending = Ending::kRaised;
    static const Pattern with_type = Pattern::Constant(R"(^([A-Za-z_][\w.]*): )");
    std::string_view message = report.exit_sync_error;
    std::string type = "RuntimeError";
    if (const auto match = with_type.Find(message)) {
      type = std::string(match->groups[1]);
      message.remove_prefix(match->groups[0].size());
    }
    TakeException({.type = std::move(type), .message = UntrustedText(std::string(message))}, data, &out);
  } else {
    out.ending = attempt.outcome.exit_status == 0 ? Ending::kClean : Ending::kExitStatus;
  }
  return out;
}

// Python's fault handler prints the frames of the thread that died, innermost first.
std::vector<Frame> CrashFrames(std::string_view output) {
  static const Pattern frame = Pattern::Constant(R"re((?m)^  File "([^"]+)", line \d+ in (.+)$)re");
  std::vector<Frame> frames;
  const size_t start = output.find("(most recent call first):");
  if (start == std::string_view::npos) return frames;
  output.remove_prefix(start);
  output = output.substr(0, output.find("\n\n"));
  for (const PatternMatch& match : frame.FindAll(output))
    frames.push_back({ShortFile(match.groups[1]), std::string(match.groups[2]), 0});
  std::reverse(frames.begin(), frames.end());
  return frames;
}

Observation ObserveCrash(const Attempt& attempt, const JudgeData& data) {
  Observation out{.attempt = &attempt, .ending = Ending::kCrashed, .output = attempt.tail};
  const std::string_view line = CrashLine(attempt.tail.ForMatching(), data);
  const RaisedException as_raised{.type = attempt.outcome.signal,
                                  .message = UntrustedText(std::string(line)),
                                  .frames = CrashFrames(attempt.tail.ForMatching())};
  out.failure = SignatureOfException(as_raised, data.frames, data.normaliser);
  out.failure.fault_class = data.FaultClass(line);
  out.failure.signal = attempt.outcome.signal;
  out.message = UntrustedText(std::string(line));
  return out;
}

}  // namespace

std::string_view Name(Ending ending) {
  switch (ending) {
    case Ending::kClean: return "finished cleanly";
    case Ending::kExitStatus: return "ended with an exit status and no exception";
    case Ending::kRaised: return "raised an exception";
    case Ending::kCrashed: return "was killed by a signal";
    case Ending::kTimedOut: return "ran into the time limit";
    case Ending::kOutOfMemory: return "ran into the memory limit";
    case Ending::kNotStarted: return "did not start";
  }
  CHECK(false);
}

Observation Observe(const Attempt& attempt, const JudgeData& data) {
  switch (attempt.outcome.kind) {
    case OutcomeKind::kExited: return ObserveExit(attempt, data);
    case OutcomeKind::kSignalled: return ObserveCrash(attempt, data);
    case OutcomeKind::kTimedOut: {
      Observation out{.attempt = &attempt, .ending = Ending::kTimedOut, .output = attempt.tail};
      if (const auto raised = ExceptionInOutput(attempt.tail.ForMatching())) {
        out.ending = Ending::kRaised;
        TakeException(*raised, data, &out);
      }
      return out;
    }
    case OutcomeKind::kMemoryExceeded: return {.attempt = &attempt, .ending = Ending::kOutOfMemory, .output = attempt.tail};
    case OutcomeKind::kNotStarted: return {.attempt = &attempt, .ending = Ending::kNotStarted, .output = attempt.tail};
  }
  CHECK(false);
}

bool SameEnding(const Observation& a, const Observation& b) {
  if (a.ending != b.ending) return false;
  if (a.failure.fault_class != b.failure.fault_class) return false;
  if (!a.failure.fault_class.empty()) return true;
  if (a.ending == Ending::kCrashed) return a.failure.signal == b.failure.signal;
  if (a.ending != Ending::kRaised) return true;
  const Comparison comparison = Compare(a.failure, b.failure);
  if (comparison.type != Agreement::kAgrees) return false;
  return comparison.message != Agreement::kDiffers || comparison.frame == Agreement::kAgrees;
}

std::optional<RaisedException> ExceptionInOutput(std::string_view output) {
  static const Pattern frame = Pattern::Constant(R"re(^  File "([^"]+)", line (\d+), in (.+)$)re");
  static const Pattern exception = Pattern::Constant(R"(^([A-Za-z_][\w.]*)(?:: (.*))?$)");
  const size_t start = output.rfind("Traceback (most recent call last):");
  if (start == std::string_view::npos) return std::nullopt;
  RaisedException raised;
  size_t begin = std::min(output.find('\n', start), output.size());
  while (begin < output.size()) {
    ++begin;
    const size_t end = std::min(output.find('\n', begin), output.size());
    const std::string_view line = output.substr(begin, end - begin);
    if (const auto called = frame.Find(line)) {
      raised.frames.push_back({ShortFile(called->groups[1]), std::string(called->groups[3]), 0});
    } else if (!line.starts_with(' ')) {
      const auto match = exception.Find(line);
      if (!match || raised.frames.empty()) return std::nullopt;
      raised.type = std::string(match->groups[1]);
      std::string message(match->groups[2]);
      message += output.substr(end);  // the rest belongs to a message of several lines, or is cut by normalising
      raised.message = UntrustedText(std::move(message));
      return raised;
    }
    begin = end;
  }
  return std::nullopt;
}

}  // namespace xpu_align
