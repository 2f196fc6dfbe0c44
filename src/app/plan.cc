#include "app/plan.h"

#include <charconv>

#include "text/pattern.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

std::string Get(const Environment& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

template <typename T>
Result<T> OneOf(const Invocation& invocation, const std::string& option,
                std::initializer_list<std::pair<std::string_view, T>> choices) {
  std::string names;
  for (const auto& [name, value] : choices) {
    if (name == invocation.Value(option)) return value;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return Fail(ErrorKind::kUsage, "--" + option + " takes one of " + names + ", not '" + invocation.Value(option) + "'");
}

Result<int> Number(const Invocation& invocation, const std::string& option, int least, int most) {
  const std::string& text = invocation.Value(option);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    return Fail(ErrorKind::kUsage, "--" + option + " takes a number from " + std::to_string(least) + " to " +
                                       std::to_string(most) + ", not '" + text + "'");
  return value;
}

// Today is allowed: what there is of it so far, as an incomplete run.
Status CheckNotInFuture(const std::string& option, Date date, int64_t now) {
  if (std::chrono::sys_days(date) <= std::chrono::sys_days(DateOf(now))) return {};
  return Fail(ErrorKind::kUsage, "--" + option + " " + FormatDate(date) + " is in the future; today is " +
                                     FormatDate(DateOf(now)) + " (UTC), the last whole day is " +
                                     FormatDate(DateOf(now - 86400)));
}

Result<Window> WindowOf(const Invocation& invocation, int64_t now) {
  if (invocation.Flag("catch-up") && invocation.IsGiven("since"))
    return Fail(ErrorKind::kUsage, "--catch-up finds the first day itself; leave out --since, or --catch-up");
  if (!invocation.IsGiven("since")) {
    if (invocation.IsGiven("until")) return Fail(ErrorKind::kUsage, "--until needs --since");
    return Window::Day(DateOf(now - 86400));
  }
  TRY_ASSIGN(const Date since, ParseDate(invocation.Value("since")));
  TRY(CheckNotInFuture("since", since, now));
  if (!invocation.IsGiven("until")) return Window::Day(since);
  TRY_ASSIGN(const Date until, ParseDate(invocation.Value("until")));
  TRY(CheckNotInFuture("until", until, now));
  return Window::Of(since, until);
}

// The interpreter that a workspace brings along; never another one of the machine.
std::string WorkspaceInterpreter(const fs::path& workspace) {
  std::error_code error;
  if (const fs::path venv = workspace / ".venv/bin/python"; fs::exists(venv, error)) return venv.string();
  for (fs::directory_iterator it(workspace, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(".conda"))
      if (const fs::path python = it->path() / "bin/python"; fs::exists(python, error)) return python.string();
  return "";
}

}  // namespace

Result<Plan> MakePlan(const Invocation& invocation, const Environment& environment, int64_t now) {
  Plan plan{.command = invocation.command, .arguments = invocation.arguments};
  plan.repository = invocation.Value("repository");
  static const Pattern kRepository = Pattern::Constant(R"(^[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}$)");
  if (!kRepository.FoundIn(plan.repository))
    return Fail(ErrorKind::kUsage, "--repository takes OWNER/NAME, not '" + plan.repository + "'");
  TRY_ASSIGN(plan.window, WindowOf(invocation, now));
  plan.target = invocation.Value("target");
  const auto path_or = [&](const std::string& option, const std::string& fallback) {
    return fs::absolute(invocation.Value(option).empty() ? fallback : invocation.Value(option)).lexically_normal();
  };
  std::error_code error;
  if (const fs::path here = fs::current_path(error); error || here.empty())
    return Fail(ErrorKind::kFileSystem, "the current folder can not be read (" + error.message() + "); change to another");
  const std::string workspace = Get(environment, "GITHUB_WORKSPACE");
  plan.workspace = path_or("workspace", workspace.empty() ? "." : workspace);
  const std::string home = Get(environment, "HOME");
  plan.cache_dir = path_or("cache-dir", (home.empty() ? std::string("/tmp") : home) + "/.cache/xpu-align");
  plan.run_directory = plan.workspace / "agent_space_xpu/runs" / plan.window.Name();
  plan.python_root = invocation.Value("python-root");
  plan.python = invocation.Value("python");
  if (plan.python.empty()) plan.python = plan.python_root.empty() ? WorkspaceInterpreter(plan.workspace) : "/usr/bin/python3";
  plan.git_dir = invocation.Value("git-dir");
  const std::string server = Get(environment, "GITHUB_SERVER_URL");
  plan.clone_url = invocation.Value("clone-url");
  if (plan.clone_url.empty())
    plan.clone_url = (server.empty() ? "https://github.com" : server) + "/" + plan.repository + ".git";
  const std::string api = Get(environment, "GITHUB_API_URL");
  plan.api_url = api.empty() ? "https://api.github.com" : api;
  if (!invocation.Value("record").empty()) plan.record = path_or("record", "");
  if (!invocation.Value("replay").empty()) plan.replay = path_or("replay", "");
  if (!plan.record.empty() && !plan.replay.empty())
    return Fail(ErrorKind::kUsage, "--record and --replay exclude each other: a replay is recorded already");
  static const Pattern kLoopback = Pattern::Constant(R"(^https?://(127\.[0-9.]+|localhost|\[::1\])(:|/|$))");
  plan.xpu_ops_url = invocation.Value("xpu-ops-url");
  if (plan.xpu_ops_url.empty() && plan.target == "xpu" && !kLoopback.FoundIn(plan.api_url))
    plan.xpu_ops_url = (server.empty() ? "https://github.com" : server) + "/intel/torch-xpu-ops.git";
  if (plan.xpu_ops_url == "none") plan.xpu_ops_url.clear();
  plan.build_commit = invocation.Value("build-commit");
  if (!plan.build_commit.empty() && !IsFullSha(plan.build_commit))
    return Fail(ErrorKind::kUsage, "--build-commit takes a full commit id of 40 hex digits, not '" + plan.build_commit + "'");
  TRY_ASSIGN(plan.depth, Number(invocation, "depth", 0, 1'000'000));
  plan.use_clone = !invocation.Flag("no-clone");
  TRY_ASSIGN(const int timeout, Number(invocation, "timeout", 1, 3600));
  TRY_ASSIGN(const int compile_timeout, Number(invocation, "compile-timeout", 1, 7200));
  plan.timeout = std::chrono::seconds(timeout), plan.compile_timeout = std::chrono::seconds(compile_timeout);
  TRY_ASSIGN(const int stage_budget, Number(invocation, "stage-budget", 0, 7 * 86'400));
  plan.stage_budget = std::chrono::seconds(stage_budget);
  plan.device_recover_command = invocation.Value("device-recover-cmd");
  TRY_ASSIGN(plan.nightly_max_age_days, Number(invocation, "nightly-max-age", 0, 36'500));
  plan.upgrade_nightly = invocation.Flag("upgrade-nightly");
  TRY_ASSIGN(plan.isolation, OneOf<std::optional<Isolation>>(invocation, "isolation",
                                                    {{"auto", std::nullopt},
                                                     {"fork-server", Isolation::kForkServer},
                                                     {"process", Isolation::kProcess}}));
  TRY_ASSIGN(plan.sandbox_uid, Number(invocation, "sandbox-uid", 1, 2'000'000'000));
  // The states that distill takes are its own.
  if (plan.command != "distill") {
    TRY_ASSIGN(plan.fail_on, OneOf<FailOn>(invocation, "fail-on",
                                           {{"never", FailOn::kNever},
                                            {"confirmed", FailOn::kConfirmed},
                                            {"related-failure", FailOn::kRelatedFailure}}));
  }
  plan.fresh = invocation.Flag("fresh");
  plan.catch_up = invocation.Flag("catch-up");
  TRY_ASSIGN(plan.events, OneOf<ItemEvents>(invocation, "event",
                                            {{"created", ItemEvents::kCreated},
                                             {"updated", ItemEvents::kUpdated},
                                             {"merged", ItemEvents::kMerged}}));
  plan.stats = invocation.Flag("stats");
  plan.json = invocation.Flag("json");
  TRY_ASSIGN(const int sample, Number(invocation, "sample", 0, 1'000'000));
  plan.sample = static_cast<size_t>(sample);
  plan.rules_file = invocation.Value("rules");
  TRY_ASSIGN(const int max_candidates, Number(invocation, "max-candidates", 0, 1'000'000));
  plan.max_candidates = static_cast<size_t>(max_candidates);
  plan.token = Get(environment, "GITHUB_TOKEN");
  if (plan.token.empty()) plan.token = Get(environment, "INPUT_GITHUB-TOKEN");
  return plan;
}

}  // namespace xpu_align
