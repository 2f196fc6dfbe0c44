// Runs scripts through the real sandbox, without the rest of the program. One JSON request a line on
// standard input, one JSON answer a line on standard output. For the hostile tests and for measurements.
//   sandbox_driver TARGET PYTHON PYTHON_ROOT MEMORY_LIMIT [COMPILED]
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "edge/sandbox/launcher.h"
#include "edge/sandbox/runner.h"
#include "rules/embedded.h"

namespace xpu_align {
namespace {

Json Answer(SandboxRunner& runner, const Json& request) {
  const std::string operation = request.StringOr("op");
  if (operation == "self-test") {
    const auto level = runner.SelfTest();
    return level ? Json().Set("level", *level) : Json().Set("error", level.error().message);
  }
  if (operation == "probe") {
    const auto facts = runner.Probe();
    return facts ? Json()
                       .Set("python_version", facts->python_version)
                       .Set("torch_version", facts->torch_version)
                       .Set("git_version", facts->git_version)
                       .Set("device_available", facts->device_available)
                       .Set("import_error", facts->import_error.ForJson())
                 : Json().Set("error", facts.error().message);
  }
  AttemptRequest attempt{.script = request.StringOr("script"),
                         .file_name = request.StringOr("name", "repro_issue-1.py")};
  attempt.role = request.StringOr("role") == "proof" ? Role::kProof : Role::kVerdict;
  attempt.isolation = request.StringOr("isolation") == "fork-server" ? Isolation::kForkServer : Isolation::kProcess;
  attempt.caches = request.StringOr("caches") == "kept"     ? CodeCaches::kKept
                   : request.StringOr("caches") == "seeded" ? CodeCaches::kSeeded
                                                            : CodeCaches::kEmpty;
  attempt.timeout_millis = request.IntOr("timeout_millis", 60'000);
  attempt.memory_bytes = request.IntOr("memory_bytes", int64_t{4} << 30);
  if (const auto* variables = request["environment"].AsObject())
    for (const auto& [name, value] : *variables) attempt.environment[name] = *value.AsString();
  const auto result = runner.Run(attempt);
  if (!result) return Json().Set("error", result.error().message);
  Json log_lines = Json::EmptyArray();
  for (size_t begin = 0; begin < result->output.size() && log_lines.AsArray()->size() < 20;) {
    const size_t end = std::min(result->output.find('\n', begin), result->output.size());
    log_lines.Append(UntrustedText(result->output.substr(begin, end - begin)).ForLogLine());
    begin = end + 1;
  }
  return Json()
      .Set("log_lines", log_lines)
      .Set("kind", Name(result->outcome.kind))
      .Set("exit_status", result->outcome.exit_status)
      .Set("signal", result->outcome.signal)
      .Set("detail", result->outcome.detail)
      .Set("report", ToJson(result->report))
      .Set("output", result->output)
      .Set("output_capped", result->output_capped)
      .Set("isolation", Name(result->isolation))
      .Set("duration_millis", result->duration_millis)
      .Set("peak_bytes", result->peak_bytes)
      .Set("survivors", result->survivors);
}

int Main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (sandbox::IsLaunch(arguments)) return sandbox::Launch();
  sandbox::RunnerSettings settings;
  settings.interpreter = {arguments.at(1), arguments.at(2)};
  settings.target = *TargetProfileFromJson(*ParseJson(rules::Embedded("rules/targets/" + arguments.at(0) + ".json")));
  settings.target.memory_limit = arguments.at(3);
  char seed[] = "/tmp/sandbox_driver.XXXXXX";
  ::close(::mkstemp(seed));
  settings.seed_file = seed;
  if (arguments.size() > 4) settings.preload = CompileUse::kCompiled;
  for (const auto& [path, text] : rules::EmbeddedFiles())
    if (path.starts_with("harness/")) settings.harness[std::string(path.substr(8))] = text;
  auto runner = sandbox::MakeSandboxRunner(std::move(settings));
  if (!runner) {
    std::cerr << runner.error().message << "\n";
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = ParseJson(line);
    const Json answer = request ? Answer(**runner, *request) : Json().Set("error", request.error().message);
    std::cerr.flush();
    const std::string text = WriteJsonLine(answer) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace xpu_align

int main(int argc, char** argv) { return xpu_align::Main(argc, argv); }
