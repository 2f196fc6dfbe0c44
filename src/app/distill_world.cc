#include "app/distill_world.h"

#include "app/distill_commands.h"
#include "digest/sha256.h"
#include "distill/missing_pin.h"
#include "edge/git/git_objects.h"
#include "edge/store/durable_file.h"
#include "edge/store/output_folder.h"
#include "rules/embedded.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kShipped = "rules/distill/";

Result<std::string> ScopeText(const std::string& name) {
  const std::string_view shipped = rules::Embedded(std::string(kShipped) + name + ".json");
  if (!shipped.empty()) return std::string(shipped);
  auto text = ReadFile(name);
  if (text) return text;
  std::string names;
  for (const std::string& one : ShippedScopes()) names += (names.empty() ? "" : ", ") + one;
  return Fail(ErrorKind::kConfig,
              "there is no scope '" + name + "'; --scope takes one of " + names + ", or the path of a scope file");
}

}  // namespace

std::vector<std::string> ShippedScopes() {
  std::vector<std::string> names;
  for (const rules::EmbeddedFile& file : rules::EmbeddedFiles())
    if (file.path.starts_with(kShipped))
      names.emplace_back(file.path.substr(kShipped.size(), file.path.size() - kShipped.size() - 5));
  return names;
}

Result<std::map<std::string, std::string>> Pairs(const Invocation& invocation, const std::string& option) {
  std::map<std::string, std::string> pairs;
  for (const std::string& text : invocation.List(option)) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size() ||
        !pairs.emplace(text.substr(0, equals), text.substr(equals + 1)).second)
      return Fail(ErrorKind::kUsage, "--" + option + " takes ID=VALUE, each id once, not '" + text + "'");
  }
  return pairs;
}

Result<OpenedScope> OpenScope(const Invocation& invocation, const Plan& plan) {
  TRY_ASSIGN(const std::string text, ScopeText(invocation.Value("scope")));
  distill::ParsedScope parsed = distill::ParseScope(text);
  OpenedScope opened;
  TRY_ASSIGN(const auto directories, Pairs(invocation, "repo"));
  auto world = std::make_unique<DistillWorld>();
  for (const auto& [id, directory] : directories) {
    if (parsed.scope && !parsed.scope->Repository(id))
      return Fail(ErrorKind::kUsage, "--repo " + id + ": the scope has no repository of this id");
    TRY_ASSIGN(auto objects, OpenObjects(directory));
    world->clones[id] = {objects.get(), directory};
    world->opened.push_back(std::move(objects));
  }
  if (!parsed.findings.empty()) {
    opened.findings = std::move(parsed.findings);
    // What a tag or a short id names, to paste.
    if (parsed.scope)
      for (distill::Finding& finding : opened.findings)
        for (const distill::ScopeRepository& repository : parsed.scope->repositories)
          if (finding.message.contains("of " + repository.id + " is"))
            if (const std::string hint = distill::PinToPaste(repository, world->clones); !hint.empty())
              finding.message += "; " + hint;
    return opened;
  }
  world->scope = std::move(*parsed.scope);
  TRY_ASSIGN(world->other_pins, Pairs(invocation, "pin"));
  TRY_ASSIGN(world->fail_on, distill::StatesNamed(invocation.Value("fail-on")));
  world->folder = invocation.Value("out").empty() ? plan.workspace / "agent_space_xpu/distill" / world->scope.id
                                                  : fs::absolute(invocation.Value("out")).lexically_normal();
  world->cache_folder = plan.cache_dir / "distill";
  if (invocation.Flag("strict-admission")) world->admission = distill::Admission::kStrict;
  opened.world = std::move(world);
  return opened;
}

std::optional<std::string> FileFactCache::Load(const std::string& key) {
  // Each file begins with the hash of what follows: a torn or changed one is made again.
  const auto bytes = ReadFile(folder_ / key.substr(0, 2) / key);
  if (!bytes || bytes->size() < 65) return std::nullopt;
  std::string facts = bytes->substr(65);
  if (Sha256Hex(facts) != bytes->substr(0, 64)) return std::nullopt;
  return facts;
}

void FileFactCache::Store(const std::string& key, const std::string& facts) {
  (void)WriteFolder(folder_, {{key.substr(0, 2) + "/" + key, Sha256Hex(facts) + "\n" + facts}});
}

}  // namespace xpu_align
