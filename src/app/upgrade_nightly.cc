#include "app/upgrade_nightly.h"

#include "app/system_clock.h"
#include "edge/sandbox/host_command.h"

namespace xpu_align {
namespace {

constexpr int64_t kInstallMillis = 1'800'000;  // several GB over a slow line
constexpr int64_t kListMillis = 120'000;
// What a download needs to know of the machine.
constexpr const char* kPassedOn[] = {"PATH",       "HTTP_PROXY",  "HTTPS_PROXY", "NO_PROXY",          "http_proxy",
                                     "https_proxy", "no_proxy",    "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"};
constexpr const char* kListPackages =
    "import importlib.metadata as m\n"
    "print(*sorted({f\"{d.metadata['Name']}=={d.version}\" for d in m.distributions()}), sep='\\n')\n";

std::map<std::string, std::string> EnvironmentFor(const World& world) {
  std::map<std::string, std::string> variables = {
      {"PIP_CONFIG_FILE", "/dev/null"}, {"PIP_NO_INPUT", "1"}, {"PYTHONNOUSERSITE", "1"}, {"LANG", "C.UTF-8"}};
  for (const char* name : kPassedOn)
    if (const auto found = world.environment.find(name); found != world.environment.end()) variables.insert(*found);
  return variables;
}

Status CheckMayRun(const World& world, const Json& nightly) {
  if (!nightly.IsObject())
    return Fail(ErrorKind::kConfig, "--upgrade-nightly: target " + world.plan.target + " has no nightly index; " +
                                        world.rules.target.other["remedies"].StringOr("stale"));
  if (!world.plan.python_root.empty())
    return Fail(ErrorKind::kConfig, "--upgrade-nightly changes the environment of --python; a root directory is only read");
  for (const auto& [name, value] : world.environment)
    if (name.find("TOKEN") != std::string::npos && !value.empty())
      return Fail(ErrorKind::kConfig, "--upgrade-nightly installs packages and does not run where a token is in the "
                                      "environment; make it a step of its own without " + name);
  return {};
}

std::vector<std::string> PipArguments(const std::string& python, const Json& nightly) {
  std::vector<std::string> arguments = {python, "-I", "-m", "pip", "--isolated", "--disable-pip-version-check", "install",
                                        "--pre", "--upgrade", "--only-binary", ":all:", "--no-cache-dir", "--index-url",
                                        nightly.StringOr("index_url")};
  for (const std::string& package : nightly.StringsOf("packages")) arguments.push_back(package);
  return arguments;
}

// Package -> version.
Result<std::map<std::string, std::string>> Installed(const World& world) {
  TRY_ASSIGN(const auto result, sandbox::RunHostCommand({.arguments = {world.plan.python, "-I", "-c", kListPackages},
                                                         .environment = EnvironmentFor(world),
                                                         .timeout_millis = kListMillis,
                                                         .stop_requested = StopRequested}));
  if (!result.Good())
    return Fail(ErrorKind::kDevice, "the interpreter can not list its packages: " + UntrustedText(result.output).ForLogLine());
  std::map<std::string, std::string> packages;
  for (size_t at = 0; at < result.output.size();) {
    const size_t end = std::min(result.output.find('\n', at), result.output.size());
    const std::string line = result.output.substr(at, end - at);
    if (const size_t equals = line.find("=="); equals != std::string::npos)
      packages[line.substr(0, equals)] = line.substr(equals + 2);
    at = end + 1;
  }
  return packages;
}

Json Changes(const std::map<std::string, std::string>& before, const std::map<std::string, std::string>& after) {
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [package, version] : before) both[package].first = version;
  for (const auto& [package, version] : after) both[package].second = version;
  Json changes = Json::EmptyArray();
  for (const auto& [package, versions] : both)
    if (versions.first != versions.second)
      changes.Append(
          Json().Set("package", package).SetIfAny("before", versions.first).SetIfAny("after", versions.second));
  return changes;
}

}  // namespace

std::string UpgradeCommandLine(const Plan& plan, const TargetProfile& target) {
  const Json& nightly = target.other["nightly"];
  if (!nightly.IsObject()) return target.other["remedies"].StringOr("stale");
  std::string line;
  for (const std::string& argument : PipArguments(plan.python, nightly)) line += (line.empty() ? "" : " ") + argument;
  return line;
}

Result<Json> UpgradeNightly(const World& world) {
  const Json& nightly = world.rules.target.other["nightly"];
  TRY(CheckMayRun(world, nightly));
  TRY_ASSIGN(const auto before, Installed(world));
  world.progress.Note("upgrading: " + UpgradeCommandLine(world.plan, world.rules.target));
  TRY_ASSIGN(const auto pip, sandbox::RunHostCommand({.arguments = PipArguments(world.plan.python, nightly),
                                                      .environment = EnvironmentFor(world),
                                                      .timeout_millis = kInstallMillis,
                                                      .stop_requested = StopRequested}));
  if (!pip.Good())
    return Fail(ErrorKind::kDevice, std::string("pip could not upgrade") + (pip.timed_out ? " in half an hour" : "") + ": " +
                                        UntrustedText(pip.output.substr(pip.output.size() - std::min<size_t>(pip.output.size(), 500)))
                                            .ForLogLine());
  TRY_ASSIGN(const auto after, Installed(world));
  const Json changes = Changes(before, after);
  for (const Json& change : *changes.AsArray())
    world.progress.Note(UntrustedText(change.StringOr("package")).ForLogLine() + ": " +
                        UntrustedText(change.StringOr("before", "none")).ForLogLine() + " -> " +
                        UntrustedText(change.StringOr("after", "removed")).ForLogLine());
  if (changes.AsArray()->empty()) world.progress.Note("nothing changed: the nightly is installed already");
  return Json().Set("index_url", nightly.StringOr("index_url")).Set("changed", changes);
}

}  // namespace xpu_align
