#include "edge/sandbox/runner.h"

#include <fnmatch.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "edge/sandbox/evidence_frames.h"
#include "edge/sandbox/landlock.h"
#include "edge/sandbox/process_table.h"
#include "edge/sandbox/session.h"
#include "text/pattern.h"

namespace xpu_align::sandbox {
namespace {

constexpr int kEvidenceDescriptor = 3;
constexpr int64_t kServerStartMillis = 120'000;
constexpr int64_t kOwnScriptMillis = 180'000;  // probe and self-test; a first device start can take 30 s
constexpr size_t kKeptCap = 256u << 20;  // of output with caches in it
constexpr std::string_view kCachesMark = "\n-- caches follow --\n";  // src/harness/seed_caches.py
constexpr size_t kServerOutputCap = 64 << 10;

std::string Nonce() {
  unsigned char bytes[16];
  CHECK(::getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
  std::string hex;
  for (const unsigned char byte : bytes) {
    hex += "0123456789abcdef"[byte >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

Json EnvironmentToJson(const std::map<std::string, std::string>& environment) {
  Json json = Json::EmptyObject();
  for (const auto& [name, value] : environment) json.Set(name, value);
  return json;
}

std::string_view LastLine(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

// torch reads many variables when it is loaded, and libraries read theirs; in a fork both are over.
bool SetsVariables(std::string_view script) {
  static const Pattern kSets = Pattern::Constant(
      R"(\benviron(?:\[[^\]\n]*\]\s*=[^=]|\.(?:setdefault|update|pop|popitem|clear)\(|\s*\|=))"
      R"(|\bdel\s+[\w.]*\benviron\b|\b(?:un)?(?:putenv|setenv)\()");
  return kSets.FoundIn(script);
}

// Whoever asks for it: with such a variable the target would not be what is tested.
bool IsForbidden(const std::string& variable, const TargetProfile& target) {
  return std::ranges::any_of(target.forbidden_environment, [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), variable.c_str(), 0) == 0;
  });
}

class Runner : public SandboxRunner {
 public:
  Runner(RunnerSettings settings, SandboxPlan plan) : settings_(std::move(settings)), plan_(std::move(plan)) {}
  ~Runner() override {
    std::error_code ignored;
    if (!settings_.seed_file.empty()) std::filesystem::remove(settings_.seed_file, ignored);
  }

  Result<std::string> SelfTest() override {
    TRY_ASSIGN(const std::string output, RunOwn("self_test.py", {{"OUTSIDE_PID", std::to_string(::getpid())}}));
    const auto breaches = ParseJson(LastLine(output));
    if (!breaches || !breaches->IsObject())
      return Fail(ErrorKind::kSandbox, "the sandbox's self-test did not finish: " + UntrustedText(output).ForLogLine());
    for (const auto& [attempt, what] : *breaches->AsObject())
      return Fail(ErrorKind::kSandbox, "the sandbox does not hold: " + UntrustedText(attempt).ForLogLine() + " " +
                                           UntrustedText(what.AsString() ? *what.AsString() : "").ForLogLine() +
                                           "; run on a machine with an unrestricted kernel");
    return level_;
  }

  Result<InterpreterFacts> Probe() override {
    const auto output = RunOwn(
        "probe.py", {{"TARGET_AVAILABLE", settings_.target.availability}, {"TARGET_MODULE", settings_.target.module}});
    if (!output) return std::unexpected(output.error());
    const auto json = ParseJson(LastLine(*output));
    if (!json || !json->IsObject())
      return Fail(ErrorKind::kDevice, "the interpreter " + plan_.interpreter + " does not run: " +
                                          UntrustedText(std::string(LastLine(*output))).ForLogLine());
    InterpreterFacts facts;
    facts.python_version = json->StringOr("python_version");
    facts.torch_version = json->StringOr("torch_version");
    facts.git_version = json->StringOr("git_version");
    facts.device_name = json->StringOr("device_name");
    facts.device_available = json->BoolOr("device_available", false);
    facts.import_error = UntrustedText(json->StringOr("import_error", json->StringOr("device_error")));
    return facts;
  }

  Result<AttemptResult> Run(const AttemptRequest& asked) override {
    const AttemptRequest request = WithoutForbiddenVariables(asked);
    // Variables come too late for a forked interpreter, whoever sets them.
    const bool may_fork = request.isolation == Isolation::kForkServer && request.environment.empty() &&
                          request.caches != CodeCaches::kKept && !SetsVariables(request.script);
    std::string obstacle;
    if (may_fork) {
      TRY_ASSIGN(obstacle, ObstacleToFork(request));
      if (obstacle.empty()) {
        TRY_ASSIGN(std::optional<AttemptResult> result, RunIn(*server_, request, Isolation::kForkServer));
        if (result) return *std::move(result);
        obstacle = "the fork server was lost before the script started";
      }
    }
    TRY_ASSIGN(const auto session, Start());
    TRY_ASSIGN(std::optional<AttemptResult> result, RunIn(*session, request, Isolation::kProcess));
    TRY(session->Stop());
    CHECK(result.has_value());
    if (request.caches == CodeCaches::kKept) TRY(Keep(&*result));
    result->isolation_reason = obstacle;
    return *std::move(result);
  }

 private:
  Result<std::unique_ptr<Session>> Start() {
    auto started = Session::Start(plan_, settings_.program, settings_.stop_requested);
    // The user that scripts run as may not be able to read the folder of the caches; they only save time.
    if (!started && started.error().kind == ErrorKind::kSandbox && ForgetSeed())
      started = Session::Start(plan_, settings_.program, settings_.stop_requested);
    TRY_ASSIGN(auto session, std::move(started));
    level_ = session->level();
    return session;
  }

  // Cuts the caches from the output and shows them to the sandboxes that start from now on. Too large, or cut off
  // by a crash: then there are none, and scripts compile what they need.
  Status Keep(AttemptResult* result) {
    const size_t mark = result->output.find(kCachesMark);
    if (mark == std::string::npos) return {};
    const std::string_view archive = std::string_view(result->output).substr(mark + kCachesMark.size());
    if (!settings_.seed_file.empty() && !result->output_capped && result->outcome.exit_status == 0) {
      std::error_code error;
      std::filesystem::create_directories(std::filesystem::path(settings_.seed_file).parent_path(), error);
      std::ofstream(settings_.seed_file, std::ios::binary) << archive;
      if (std::filesystem::file_size(settings_.seed_file, error) != archive.size() || error)
        return Fail(ErrorKind::kFileSystem, "can not write " + settings_.seed_file);
      ForgetSeed();
      plan_.trees.push_back({settings_.seed_file, std::string(kHarness) + "/seed.tar"});
      std::ranges::sort(plan_.trees, {}, &ReadOnlyTree::target);
      server_.reset();  // it was started without them
    }
    result->output.resize(mark);
    return {};
  }

  // True when there was one.
  bool ForgetSeed() {
    return std::erase_if(plan_.trees, [&](const ReadOnlyTree& tree) { return tree.source == settings_.seed_file; }) > 0;
  }

  AttemptRequest WithoutForbiddenVariables(AttemptRequest request) const {
    std::erase_if(request.environment,
                  [&](const auto& variable) { return IsForbidden(variable.first, settings_.target); });
    return request;
  }

  Result<std::string> RunOwn(const std::string& name, std::map<std::string, std::string> environment) {
    const auto text = settings_.harness.find(name);
    CHECK(text != settings_.harness.end());
    TRY_ASSIGN(const AttemptResult result, Run({.script = text->second,
                                                .file_name = name,
                                                .environment = std::move(environment),
                                                .timeout_millis = kOwnScriptMillis}));
    if (result.outcome.kind == OutcomeKind::kNotStarted)
      return Fail(ErrorKind::kDevice,
                  "the interpreter " + plan_.interpreter + " does not start: " + result.outcome.detail);
    return result.output;
  }

  // Starts the fork server when there is none. Why it can not be used, or empty; a server that did not start is
  // not tried again.
  Result<std::string> ObstacleToFork(const AttemptRequest& request) {
    if (server_ && request.memory_bytes != server_memory_) return "the fork server has another memory limit";
    if (server_ || !server_refusal_.empty()) return server_refusal_;
    auto started = StartServer(request.memory_bytes);
    // A compiler that asks the driver while it is imported (Triton does) spoils the fork; without it torch may still
    // fork.
    if (!started && started.error().kind == ErrorKind::kSandbox && settings_.preload == CompileUse::kCompiled) {
      settings_.preload = CompileUse::kEager;
      started = StartServer(request.memory_bytes);
    }
    if (!started && started.error().kind == ErrorKind::kCancelled) return std::unexpected(started.error());
    if (!started) server_refusal_ = UntrustedText(started.error().message).ForLogLine();
    return server_refusal_;
  }

  Status StartServer(int64_t memory_bytes) {
    TRY_ASSIGN(auto session, Start());
    // Without signal scopes a script could stop the server and speak in its place.
    if (session->landlock_abi() < kLandlockAbiWithScopes)
      return Fail(ErrorKind::kSandbox, "the kernel's Landlock has no signal scopes, which the fork server needs");
    Json preload = Json().Append("torch");
    if (settings_.preload == CompileUse::kCompiled)
      for (const char* name :
           {"torch._dynamo", "torch._inductor.compile_fx", "torch._inductor.codegen.cpp", "torch._inductor.codecache"})
        preload.Append(name);
    const Json config =
        Json().Set("channel", kEvidenceDescriptor).Set("preload", preload).Set("module", settings_.target.module);
    const Json serve = Json()
                           .Set("op", "serve")
                           .Set("arguments", Arguments("fork_server.py", config))
                           .Set("environment", EnvironmentToJson(settings_.target.environment))
                           .Set("memory_bytes", memory_bytes)
                           .Set("timeout_millis", kServerStartMillis);
    TRY(session->Serve(serve, kServerOutputCap));
    server_ = std::move(session);
    server_memory_ = memory_bytes;
    return {};
  }

  Json Arguments(const std::string& harness, const Json& config) const {
    Json arguments = Json::EmptyArray();
    for (const std::string& text : {plan_.interpreter, std::string("-B"), std::string("-s"), std::string("-u"),
                                    std::string(kHarness) + "/" + harness, WriteJsonLine(config)})
      arguments.Append(text);
    return arguments;
  }

  bool HasDeviceCounters() const { return settings_.target.other.StringOr("device_counters") == "drm-fdinfo"; }

  Json HarnessConfig(const AttemptRequest& request, const std::string& nonce) const {
    const TargetProfile& target = settings_.target;
    return Json()
        .Set("script", std::string(kScratch) + "/" + request.file_name)
        .Set("evidence", kEvidenceDescriptor)
        .Set("nonce", nonce)
        .Set("role", Name(request.role))
        .Set("caches", Name(request.caches))
        .Set("module", target.module)
        .Set("startup", target.startup)
        .Set("dispatch_key", target.dispatch_key)
        .Set("device", target.device)
        .Set("fallback_registrations", target.fallback_registrations)
        .Set("host_operators", target.host_operators);
  }

  // Nothing when the fork server was lost before the script started: the attempt is made again in a process.
  Result<std::optional<AttemptResult>> RunIn(Session& session, const AttemptRequest& request, Isolation isolation) {
    const std::string nonce = Nonce();
    const Json config = HarnessConfig(request, nonce);
    std::map<std::string, std::string> environment = settings_.target.environment;
    for (const auto& [name, value] : request.environment) environment[name] = value;
    const int64_t cpu_seconds = request.timeout_millis / 1000 * 4 + 60;  // a net under the deadline
    Json run = Json()
                   .Set("op", "run")
                   .Set("arguments", Arguments("run_script.py", config))
                   .Set("environment", EnvironmentToJson(environment))
                   .Set("name", request.file_name)
                   .Set("cpu_seconds", cpu_seconds)
                   .Set("timeout_millis", request.timeout_millis)
                   .Set("device_counters", HasDeviceCounters())
                   .Set("memory_bytes", request.memory_bytes);
    if (isolation == Isolation::kForkServer)
      run.Set("fork",
              Json().Set("config", config).Set("environment", Json::EmptyObject()).Set("cpu_seconds", cpu_seconds));
    const int64_t begin = MonotonicMillis();
    const auto captured = session.Run(run, request.script, request.caches == CodeCaches::kKept ? kKeptCap : settings_.output_cap);
    const bool is_final = captured || captured.error().kind == ErrorKind::kDevice ||
                          captured.error().kind == ErrorKind::kCancelled;
    if (!is_final && isolation == Isolation::kForkServer) {
      server_.reset();
      return std::optional<AttemptResult>();
    }
    if (!captured) return std::unexpected(captured.error());
    const Json& answer = captured->answer;
    const std::string kind = answer.StringOr("kind");
    if (answer.BoolOr("server_lost", false)) {
      TRY(session.Stop());
      if (isolation == Isolation::kForkServer) server_.reset();
      if (isolation == Isolation::kForkServer && kind == "not-started") return std::optional<AttemptResult>();
    }
    AttemptResult result;
    result.outcome = {OutcomeKindNamed(kind).value_or(OutcomeKind::kNotStarted),
                      static_cast<int>(answer.IntOr("exit_status")), answer.StringOr("signal"),
                      answer.StringOr("detail")};
    result.report = ReportFromFrames(captured->evidence, nonce);
    result.output = captured->output;
    result.output_capped = captured->output_capped;
    result.report.result_line = LastResultLine(result.output);
    result.isolation = isolation;
    result.duration_millis = MonotonicMillis() - begin;
    result.peak_bytes = answer.IntOr("peak_bytes");
    if (HasDeviceCounters()) result.device_use = DeviceUse::kNotSeen;
    if (answer.BoolOr("device_worked", false)) result.device_use = DeviceUse::kWorked;
    result.survivors = static_cast<int>(answer.IntOr("survivors"));
    return std::optional(std::move(result));
  }

  RunnerSettings settings_;
  SandboxPlan plan_;
  std::string level_;
  std::unique_ptr<Session> server_;
  int64_t server_memory_ = 0;
  std::string server_refusal_;  // why there is none and will be none
};

}  // namespace

Result<std::unique_ptr<SandboxRunner>> MakeSandboxRunner(RunnerSettings settings) {
  TRY_ASSIGN(SandboxPlan plan, PlanFor(settings.interpreter, settings.target.device_nodes));
  plan.user = settings.user;
  plan.memory_limit =
      settings.target.memory_limit == "address-space" ? MemoryLimit::kAddressSpace : MemoryLimit::kResident;
  for (const auto& [name, text] : settings.harness) plan.files[std::string(kHarness) + "/" + name] = text;
  ::prctl(PR_SET_DUMPABLE, 0);
  return std::make_unique<Runner>(std::move(settings), std::move(plan));
}

}  // namespace xpu_align::sandbox
