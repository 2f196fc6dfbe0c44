// Report: run data in, Markdown out. Upstream text enters only through UntrustedText's exits. Pure; called
// by the report stage, whose output the audit reads as an outsider.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "model/composition.h"
#include "model/details.h"
#include "model/evidence.h"
#include "model/ledger_row.h"
#include "model/target_profile.h"
#include "model/window.h"

namespace xpu_align {

// What a team may set about its drafts.
struct DraftSettings {
  std::string title_prefix = "[xpu_alignment]";
  std::vector<std::string> labels = {"xpu-alignment"};  // in front of the two that the finding gives
};

// Written by `distill map`, where it applies.
inline constexpr std::string_view kFactsTouchedPath = "artifacts/facts_touched.json";

struct ReportInput {
  Window window;
  std::string run_name;    // of the run directory: the window's, or spot-<id>
  std::string repository;  // pytorch/pytorch
  std::string events;      // created, updated
  std::string source;      // live, demo, replayed
  TargetProfile target;
  Json environment;  // artifacts/environment.json, null when preflight has not run
  Json collection;   // artifacts/collection.json
  Json facts_touched;  // null when `distill map` has not run
  std::string collect_env;
  std::vector<LedgerRow> rows;  // sorted by id
  std::map<CandidateId, Details> details;
  std::map<CandidateId, Composition> compositions;
  std::map<CandidateId, Evidence> evidence;
  std::map<CandidateId, std::string> scripts;
  std::vector<std::string> audit_findings;  // empty: the final summary may be written
  std::string continue_command;             // for the progress checkpoint
  DraftSettings drafts;
};

// reports/full_scan.md; skeleton in design 6.
std::string RenderReport(const ReportInput& input);
// reports/issue_drafts.md.
std::string RenderDrafts(const ReportInput& input);
// reports/repro_precheck.md: every refusal with its reason.
std::string RenderPrecheck(const ReportInput& input);
// The step summary of GitHub Actions: at most 900 KiB.
std::string RenderSummary(const ReportInput& input);

}  // namespace xpu_align
