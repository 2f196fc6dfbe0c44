#include "app/doctor.h"

#include <filesystem>
#include <ostream>

#include "app/fix_facts.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kDiskNeeded = uintmax_t{8} << 30;  // a full clone of pytorch and a night's evidence

class Doctor {
 public:
  explicit Doctor(const World& world) : world_(world) {}

  ExitCode Check() {
    CheckGithub();
    CheckClone();
    CheckDisk();
    CheckInterpreter();
    return code_;
  }

 private:
  void Say(bool good, const std::string& name, const std::string& finding) {
    world_.out << (good ? "ok    " : "FAIL  ") << name << ": " << finding << "\n" << std::flush;
  }
  void Bad(const std::string& name, const Error& error) {
    Say(false, name, error.message);
    code_ = Worse(code_, ExitCodeOf(error.kind));
  }

  void CheckGithub() {
    Say(!world_.plan.token.empty(), "token",
        world_.plan.token.empty() ? "none; set GITHUB_TOKEN (no scope is needed for public data), or collect is limited to "
                                    "60 requests an hour"
                                  : "given");
    if (world_.plan.token.empty()) code_ = Worse(code_, ExitCode::kIncomplete);
    const auto github = OpenGithub(world_);
    if (!github) return Bad("GitHub", github.error());
    const auto count = github->source->CountCreated(world_.plan.window);
    if (!count) return Bad("GitHub", count.error());
    Say(true, "GitHub", world_.plan.api_url + " answers: " + std::to_string(*count) + " items created in " + world_.plan.window.Name());
  }

  void CheckClone() {
    const auto repository = OpenRepositoryForReading(world_);
    if (!repository && repository.error().kind == ErrorKind::kNotFound)
      return Say(true, "clone", "none yet; collect fetches " + world_.plan.clone_url + " into " + CloneDirectory(world_.plan).string() +
                                    ", several GB the first time, less with --depth");
    if (!repository) return Bad("clone", repository.error());
    const auto trunk = (*repository)->TrunkSha();
    if (!trunk) return Bad("clone", trunk.error());
    Say(true, "clone", "trunk is at " + *trunk);
  }

  void CheckDisk() {
    std::error_code error;
    fs::path folder = world_.plan.cache_dir;
    while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
    const auto space = fs::space(folder, error);
    if (error) return Bad("disk", {ErrorKind::kFileSystem, "can not ask for free space of " + folder.string() + ": " + error.message()});
    const std::string free = std::to_string(space.available >> 30) + " GiB free in " + folder.string();
    if (space.available < kDiskNeeded) return Bad("disk", {ErrorKind::kFileSystem, free + ", 8 are needed; choose another --cache-dir"});
    Say(true, "disk", free);
  }

  void CheckInterpreter() {
    const auto runner = OpenSandbox(world_, CompileUse::kEager);
    if (!runner) return Bad("interpreter", runner.error());
    const auto level = (*runner)->SelfTest();
    if (!level) {
      Bad("sandbox", level.error());
    } else {
      Say(true, "sandbox", *level);
    }
    const auto facts = (*runner)->Probe();
    if (!facts) return Bad("interpreter", facts.error());
    if (facts->torch_version.empty())
      return Bad("torch", {ErrorKind::kDevice, "can not be imported: " + facts->import_error.ForLogLine()});
    Say(true, "torch", facts->torch_version + ", Python " + facts->python_version + ", built from " + facts->git_version);
    if (!facts->device_available)
      return Bad("device", {ErrorKind::kDevice, world_.rules.target.availability + " is False; " +
                                                    world_.rules.target.other["remedies"].StringOr("device", "check driver and permissions")});
    Say(true, "device", facts->device_name.empty() ? world_.rules.target.name : facts->device_name);
  }

  const World& world_;
  ExitCode code_ = ExitCode::kComplete;
};

}  // namespace

Result<ExitCode> DoctorCommand(const World& world) { return Doctor(world).Check(); }

}  // namespace xpu_align
