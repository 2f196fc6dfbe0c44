#include "app/explain.h"

#include <algorithm>
#include <ostream>

#include "app/explain_text.h"
#include "filter/already_processed.h"
#include "judge/judge.h"
#include "model/composition.h"
#include "model/details.h"
#include "model/evidence.h"
#include "pipeline/candidate_file.h"

namespace xpu_align {
namespace {

Json ToJson(const Reason& reason) { return Json().Set("rule", reason.rule).Set("text", reason.text); }

Json TraceOf(const Judgement& judgement) {
  Json trace = Json::EmptyArray();
  for (const Reason& step : judgement.trace) trace.Append(ToJson(step));
  return Json()
      .Set("bucket", Name(judgement.bucket))
      .Set("decided", ToJson(judgement.reason))
      .Set("cpu_same", judgement.cpu_same)
      .Set("stable", judgement.stable)
      .Set("rules_asked", trace);
}

Json SummaryOf(const Evidence& evidence) {
  Json attempts = Json::EmptyArray();
  for (const Attempt& attempt : evidence.attempts) {
    Json one;
    one.Set("arm", Name(attempt.arm)).Set("role", Name(attempt.role)).Set("number", attempt.number);
    one.Set("outcome", Name(attempt.outcome.kind)).Set("exit_status", attempt.outcome.exit_status);
    one.SetIfAny("signal", attempt.outcome.signal).Set("log", attempt.log);
    if (attempt.report.exception)
      one.Set("exception", attempt.report.exception->type + ": " + attempt.report.exception->message.ForLogLine());
    attempts.Append(one);
  }
  return attempts;
}

// No title rule: collect wrote down which run it was.
TitleDecision ProcessedBefore(RunStore& store, const CandidateId& id) {
  TitleDecision decision{.status = TitleStatus::kReject, .rule = std::string(kAlreadyProcessed)};
  const auto bytes = store.Read(paths::kHistoryUsed);
  const auto json = bytes ? ParseJson(*bytes) : std::unexpected(bytes.error());
  if (!json) return decision;
  for (const Json& entry : json->ArrayOf("already_processed"))
    if (entry.StringOr("id") == id.Text())
      decision.reason = "the run " + entry.StringOr("window") + " gave it the bucket " + entry.StringOr("bucket") +
                        ", and it has not changed since";
  return decision;
}

}  // namespace

Result<ExitCode> ExplainCommand(const World& world, RunStore& store) {
  if (world.plan.arguments.size() != 1)
    return Fail(ErrorKind::kUsage, "explain takes one candidate id, for example issue-197888");
  const std::string& text = world.plan.arguments[0];
  const auto id = CandidateId::Parse(text);
  if (!id) return Fail(ErrorKind::kUsage, "not a candidate id: '" + UntrustedText(text).ForLogLine(60) +
                                              "'; ids look like issue-197888, pr-197444 or commit-20fb7bd04e0b");
  TRY_ASSIGN(const auto rows, store.LoadLedger());
  const auto row = std::ranges::find(rows, *id, &LedgerRow::id);
  if (row == rows.end())
    return Fail(ErrorKind::kUsage, id->Text() + " is not in " + world.plan.run_directory.string() + "; name its run with --run");

  Json json;
  json.Set("row", xpu_align::ToJson(*row));
  TitleDecision title = world.rules.title.Decide(id->kind(), row->title);
  if (row->title_rule == kAlreadyProcessed) title = ProcessedBefore(store, *id);
  json.Set("title", Json()
                        .Set("status", Name(title.status))
                        .SetIfAny("rule", title.rule)
                        .SetIfAny("reason", title.reason)
                        .SetIfAny("matched", title.match.ForJson()));
  TRY_ASSIGN(const auto details, ReadCandidateFile(store, paths::Details(*id), DetailsFromJson));
  if (details) {
    Json files = Json::EmptyArray();
    for (const ChangedFile& file : details->files) {
      const ClassifiedPath path = world.rules.deep.Classify(file.path);
      files.Append(Json()
                       .Set("path", file.path.ForJson())
                       .Set("class", Name(path.path_class))
                       .SetIfAny("rule", path.rule)
                       .SetIfAny("counterpart", path.counterpart));
    }
    json.SetIfAny("files", files);
    Json features = Json::EmptyArray();
    for (const Feature& feature : world.rules.deep.FeaturesOf(*details))
      features.Append(Json().Set("id", feature.id).Set("text", feature.text).Set("seen", feature.seen.ForJson()));
    json.SetIfAny("features", features);
  }
  TRY_ASSIGN(const auto composition, ReadCandidateFile(store, paths::Composition(*id), CompositionFromJson));
  if (composition) json.Set("composition", xpu_align::ToJson(*composition));
  TRY_ASSIGN(const auto evidence, ReadCandidateFile(store, paths::Evidence(*id), EvidenceFromJson));
  if (evidence) json.Set("attempts", SummaryOf(*evidence));
  if (composition && composition->refusal) {
    json.Set("judgement", TraceOf(JudgeRefusal(*composition->refusal, composition->refusal_text)));
  } else if (composition && evidence) {
    TRY_ASSIGN(const Judge judge, Judge::Make(world.rules.judge, world.rules.target));
    json.Set("judgement", TraceOf(judge.Decide(*composition, *evidence)));
  }
  if (world.plan.json) world.out << WriteJson(json);
  else world.out << ExplanationText(json);
  return ExitCode::kComplete;
}

}  // namespace xpu_align
