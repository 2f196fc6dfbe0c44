// Plan: an invocation checked and turned into typed values. Nothing is opened or run here. Made by run.cc,
// read by the commands.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "app/options.h"
#include "model/ledger_row.h"
#include "model/window.h"
#include "ports/github_source.h"
#include "ports/sandbox_runner.h"

namespace xpu_align {

enum class FailOn { kNever, kConfirmed, kRelatedFailure };

struct Plan {
  std::string command;
  std::vector<std::string> arguments;
  std::string repository;
  Window window;
  ItemEvents events = ItemEvents::kCreated;
  std::string target;
  std::filesystem::path workspace, cache_dir;
  std::filesystem::path run_directory;
  std::string python, python_root, git_dir, clone_url, api_url;
  std::string xpu_ops_url;  // empty: none
  std::string build_commit;
  std::filesystem::path record, replay;  // folders of recordings; empty: none
  int depth = 0;
  bool use_clone = true;
  std::chrono::seconds timeout{120}, compile_timeout{420};
  std::chrono::seconds stage_budget{0};  // 0: none
  std::string device_recover_command;    // of the shell; empty: none
  int nightly_max_age_days = 3;
  bool upgrade_nightly = false;
  std::optional<Isolation> isolation;  // unset: as the self-test of preflight decides
  int sandbox_uid = 65534;
  FailOn fail_on = FailOn::kNever;
  bool fresh = false;
  bool catch_up = false;
  size_t max_candidates = 0;
  bool stats = false;
  bool json = false;
  size_t sample = 0;       // rejections of each reason to print
  std::string rules_file;  // own rules; empty: none
  std::string token;  // never printed, never passed to a process
};

// kUsage or kConfig with the option's name and what it takes. `now`: seconds since the epoch, for the
// default window.
Result<Plan> MakePlan(const Invocation& invocation, const Environment& environment, int64_t now);

}  // namespace xpu_align
