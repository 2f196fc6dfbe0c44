// Collect: the first stage. Finds what happened in the window, applies the title rules, and fetches the details
// of what passes. A source that fails makes the run partial, with its reason in collection.json; only a
// refused token, a signal, a file system that fails, or no source at all end the stage. Called by src/app.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "filter/title_filter.h"
#include "model/reference.h"
#include "pipeline/earlier_runs.h"
#include "pipeline/volume.h"
#include "ports/github_source.h"
#include "ports/progress.h"
#include "ports/run_store.h"

namespace xpu_align {

struct CollectRequest {
  std::string repository;  // OWNER/NAME
  Window window;
  ItemEvents events = ItemEvents::kCreated;
  std::vector<Reference> references;     // not empty: these items and nothing else of the window
  std::optional<size_t> max_candidates;  // more title-passed ones: no details are fetched, the run is partial
  std::string limits;                    // what this run can not see at all, for collection.json and the report
  std::optional<int64_t> now;            // a window that is not over by then is incomplete
  // Told and recorded: days before the window that no complete run covers, and those that this window makes up for.
  std::vector<Window> gaps;
  std::optional<Window> caught_up;
};

struct CollectPorts {
  GithubSource& github;
  RepositoryReader* repository;  // null: commits and diffs by REST
  RunStore& store;
  Progress& progress;
  EarlierRuns* earlier = nullptr;  // null: every candidate is new, every detail is fetched
};

// What other folders know, as functions: the title rules and links of src/filter.
struct CollectRules {
  std::function<TitleDecision(Kind, const UntrustedText&)> decide_title;
  // Links that a text states; called for body and comments. Links to the item itself are left out. May be
  // empty: then details hold GitHub's own links only.
  std::function<std::vector<Link>(const UntrustedText&)> links_in_text;
  // Asked above kManyCandidates; false: stop before details, the run is partial. May be empty: go on.
  std::function<bool(const TitleSummary&)> go_on;
};

struct CollectOutcome {
  size_t candidates = 0, passed = 0, detailed = 0;
  size_t already_processed = 0, reused = 0;  // reused: of `detailed`, taken from other runs
  std::vector<std::string> incomplete;  // one sentence a source that is not whole; empty: complete
};

// Writes raw_candidates.json, collection.json, history_used.json, details/<id>.json and ledger rows (title columns). Rows and
// details that are there and current are left as they are: a stage that was cut off goes on where it was.
// kAuth, kCancelled, kFileSystem; kNetwork and others when no source answered.
Result<CollectOutcome> Collect(const CollectRequest& request, const CollectPorts& ports, const CollectRules& rules);

}  // namespace xpu_align
