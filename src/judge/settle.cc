#include "judge/settle.h"

#include <algorithm>
#include <optional>

#include "judge/route.h"

namespace xpu_align {
namespace {

struct VerdictAnswer {
  std::optional<Verdict> verdict;
  std::string text;
  std::string recheck_after;
};

struct VerdictRule {
  const char* id;
  const char* asks;
  const char* answers;
  std::optional<VerdictAnswer> (*ask)(const SettleInput&, const TargetProfile&);
};
using Asked = std::optional<VerdictAnswer>;

constexpr char kFlakyRule[] = "flaky";
constexpr char kGpuFaultClass[] = "gpu-fault";

std::string FixName(const FixFacts& fix) { return fix.commit.empty() ? "the fix" : fix.commit.substr(0, 12); }

const KnownFailure* Known(const SettleInput& input, KnownKind kind) {
  const std::string& fingerprint = input.row.signature.fingerprint;
  for (const KnownFailure& known : input.known)
    if (!fingerprint.empty() && known.fingerprint == fingerprint && known.kind == kind) return &known;
  return nullptr;
}

Asked NoRun(const SettleInput& input, const TargetProfile&) {
  if (input.row.IsFinding() || input.row.bucket == Bucket::kNotReproduced) return std::nullopt;
  return VerdictAnswer{{}, "nothing was observed"};
}

Asked Duplicate(const SettleInput& input, const TargetProfile&) {
  const KnownFailure* known = Known(input, KnownKind::kFailure);
  if (known == nullptr || !input.row.IsFinding() || !input.judgement.distinctive) return std::nullopt;
  return VerdictAnswer{Verdict::kDuplicate, "same finding as " + UntrustedText(known->url_or_id).ForLogLine()};
}

Asked NonIssue(const SettleInput& input, const TargetProfile&) {
  if (!input.row.IsFinding()) return std::nullopt;
  if (const KnownFailure* known = Known(input, KnownKind::kLimit))
    return VerdictAnswer{Verdict::kNonIssue, "a known limit: " + UntrustedText(known->url_or_id).ForLogLine()};
  for (const Details& member : input.chain) {
    // A stranger's pull request can follow any report; what it is labelled says nothing about the report.
    if (member.id.kind() == Kind::kPullRequest && member.id != input.row.id) continue;
    for (const std::string& label : member.labels)
      if (label == "wontfix" || label == "invalid" || label == "not a bug")
        return VerdictAnswer{Verdict::kNonIssue, member.id.Text() + " has the label '" + label + "'"};
  }
  return std::nullopt;
}

Asked Unstable(const SettleInput& input, const TargetProfile&) {
  if (input.judgement.reason.rule == kFlakyRule)
    return VerdictAnswer{Verdict::kVerificationGap, input.judgement.reason.text};
  if (input.row.IsFinding() && !input.judgement.stable)
    return VerdictAnswer{Verdict::kVerificationGap, "no two fresh attempts agree"};
  return std::nullopt;
}

Asked DeviceFaultAlone(const SettleInput& input, const TargetProfile&) {
  if (!input.row.IsFinding() || input.row.signature.signature_class != kGpuFaultClass) return std::nullopt;
  return VerdictAnswer{Verdict::kVerificationGap, "a device fault is all that was seen"};
}

Asked CpuSame(const SettleInput& input, const TargetProfile& target) {
  if (!input.row.IsFinding() || !input.judgement.cpu_same) return std::nullopt;
  std::string text = target.is_reference ? "seen on the CPU: shared code" : "the CPU arm fails in the same way";
  if (input.fix.state == FixState::kInBuild)
    return VerdictAnswer{Verdict::kTrackUpstream, text + ", although " + FixName(input.fix) + " is in the build",
                         "the next build"};
  return VerdictAnswer{Verdict::kTrackUpstream, std::move(text), FixName(input.fix) + " is in the build"};
}

Asked FixedAfterPin(const SettleInput& input, const TargetProfile& target) {
  if (!input.row.IsFinding() || input.fix.kernel != KernelFix::kInMainAfterPin) return std::nullopt;
  return VerdictAnswer{Verdict::kTrackUpstream, "fixed in " + target.kernel_repository + " after the pinned commit",
                       "the pin of " + target.kernel_repository + " is raised"};
}

Asked FixInBuild(const SettleInput& input, const TargetProfile& target) {
  if (!input.row.IsFinding() || target.is_reference || !input.judgement.cpu_fine || input.fix.state != FixState::kInBuild)
    return std::nullopt;
  return VerdictAnswer{Verdict::kNeedsXpuFix,
                       "only " + target.device + " fails, and " + FixName(input.fix) + " is in the build"};
}

Asked TwinFix(const SettleInput& input, const TargetProfile& target) {
  if (!input.row.IsFinding() || target.is_reference || input.fix.reach != FixReach::kTwinOnly) return std::nullopt;
  if (input.fix.landing == FixLanding::kTrunk) {
    if (!input.judgement.cpu_fine) return std::nullopt;
    return VerdictAnswer{Verdict::kNeedsXpuFix, "the fix changes only another backend's twin, and is in trunk"};
  }
  return VerdictAnswer{Verdict::kTrackUpstream, "the fix changes only another backend's twin, and is not in trunk",
                       "the fix is in trunk"};
}

// Only a fix for the target is claimed on the word of the CPU arm.
Asked NoReference(const SettleInput& input, const TargetProfile&) {
  const bool twin_in_trunk = input.fix.reach == FixReach::kTwinOnly && input.fix.landing == FixLanding::kTrunk;
  if (!input.row.IsFinding() || input.judgement.cpu_fine) return std::nullopt;
  if (input.fix.state != FixState::kInBuild && !twin_in_trunk) return std::nullopt;
  return VerdictAnswer{Verdict::kVerificationGap, "no CPU arm shows that only the target fails"};
}

Asked FixNotInBuild(const SettleInput& input, const TargetProfile&) {
  if (!input.row.IsFinding() || input.fix.state != FixState::kNotInBuild) return std::nullopt;
  return VerdictAnswer{Verdict::kTrackUpstream, FixName(input.fix) + " is not in the build",
                       FixName(input.fix) + " is in the build"};
}

Asked NoFixKnown(const SettleInput& input, const TargetProfile&) {
  if (!input.row.IsFinding() || input.fix.state != FixState::kNoFix) return std::nullopt;
  return VerdictAnswer{Verdict::kTrackUpstream, "no fix is known", "a fix is linked to the chain"};
}

Asked FixUnknown(const SettleInput& input, const TargetProfile&) {
  if (!input.row.IsFinding()) return std::nullopt;
  return VerdictAnswer{Verdict::kVerificationGap, "whether the build has the fix is unknown",
                       "the commit of the build is known"};
}

Asked Fixed(const SettleInput& input, const TargetProfile&) {
  const std::string& fingerprint = input.row.signature.fingerprint;
  const auto& earlier = input.earlier_failures;
  const bool failed = fingerprint.empty()
                          ? !earlier.empty()
                          : std::find(earlier.begin(), earlier.end(), fingerprint) != earlier.end();
  if (!failed) return std::nullopt;
  return VerdictAnswer{Verdict::kFixed, "passes now; an earlier run of this finding failed"};
}

// `fixed` is a claim that needs the earlier failure.
Asked Passes(const SettleInput& input, const TargetProfile&) {
  return VerdictAnswer{{},
                       input.fix.state == FixState::kInBuild ? "fix in the build, no earlier failure here"
                                                             : "passes, no earlier failure here"};
}

constexpr VerdictRule kRules[] = {
    {"no-run", "Did nothing run to an end that can be judged?", "no verdict", NoRun},
    {"duplicate", "Is the fingerprint, if distinctive, that of an earlier candidate, tracker or known failure?", "duplicate", Duplicate},
    {"non-issue", "Is it a known limit, or has upstream labelled it as no bug?", "non-issue", NonIssue},
    {"unstable", "Do no two fresh attempts agree?", "verification-gap", Unstable},
    {"device-fault-alone", "Is a device fault all that was seen?", "verification-gap", DeviceFaultAlone},
    {"cpu-same", "Does the CPU arm fail in the same way (always so on a reference target)?", "track-upstream", CpuSame},
    {"fixed-after-pin", "Has the kernel repository a fix after the pinned commit?",
     "track-upstream, recheck when the pin is raised", FixedAfterPin},
    {"fix-in-build", "Does only the target fail, with the fix in the build?", "needs-xpu-fix", FixInBuild},
    {"twin-fix", "Does the fix change only another backend's twin?",
     "needs-xpu-fix when the fix is in trunk, else track-upstream", TwinFix},
    {"no-reference", "Would it be a fix for the target, but no CPU arm shows that only the target fails?",
     "verification-gap", NoReference},
    {"fix-not-in-build", "Is the fix not yet in the build?", "track-upstream", FixNotInBuild},
    {"no-fix-known", "Is no fix known?", "track-upstream", NoFixKnown},
    {"fix-unknown", "Is it unknown whether the build has the fix?", "verification-gap", FixUnknown},
    {"fixed", "Does it pass, and did an earlier run of the finding fail?", "fixed", Fixed},
    {"passes", "Otherwise.", "no verdict", Passes},
};

}  // namespace

Settlement Settle(const SettleInput& input, const TargetProfile& target) {
  Settlement out;
  for (const VerdictRule& rule : kRules) {
    auto answer = rule.ask(input, target);
    if (!answer) continue;
    out.verdict = answer->verdict;
    out.reason = {rule.id, std::move(answer->text)};
    out.recheck_after = std::move(answer->recheck_after);
    break;
  }
  if (input.row.IsFinding()) {
    const Route route = RouteOf(input, target);
    out.route_repository = route.repository;
    out.route_rule = route.rule;
  }
  return out;
}

std::vector<RuleDescription> SettleRules() {
  std::vector<RuleDescription> out;
  for (const VerdictRule& rule : kRules) out.push_back({rule.id, rule.asks, rule.answers});
  for (RuleDescription& route : RouteRules()) out.push_back(std::move(route));
  return out;
}

}  // namespace xpu_align
