#include "app/distill_map.h"

#include <ostream>
#include <sstream>

#include "distill/area_map.h"
#include "edge/store/durable_file.h"
#include "edge/store/output_folder.h"
#include "edge/store/run_directory.h"
#include "report/report.h"
#include "text/untrusted_text.h"

namespace xpu_align {
namespace {

namespace fs = std::filesystem;
using namespace distill;

// Of the repository that the run scanned; the first when the scope does not have it.
std::string ScannedRepository(const Scope& scope, const std::string& slug) {
  for (const ScopeRepository& repository : scope.repositories)
    if (repository.slug == slug) return repository.id;
  return scope.repositories.front().id;
}

Result<ExitCode> MapRun(const fs::path& directory, const std::string& slug, const DistillWorld& world,
                        std::ostream& out) {
  std::error_code error;
  if (!fs::is_directory(directory / paths::kDetailsFolder, error))
    return Fail(ErrorKind::kFileSystem, "there is no " + std::string(paths::kDetailsFolder) + " in " +
                                            directory.string() + "; run collect first");
  TRY_ASSIGN(const auto store, OpenRunDirectory(directory));
  std::vector<ChangedCandidate> candidates;
  for (const std::string& name : store->List(paths::kDetailsFolder)) {
    TRY_ASSIGN(const std::string text, store->Read(std::string(paths::kDetailsFolder) + "/" + name));
    const auto json = ParseJson(text);
    if (!json) continue;  // the audit tells of a damaged file
    ChangedCandidate candidate{json->StringOr("id"), {}};
    for (const Json& file : json->ArrayOf("files"))
      candidate.files.push_back({file.StringOr("path"), file.StringOr("patch")});
    candidates.push_back(std::move(candidate));
  }
  auto outputs = ReadFolder(world.folder);
  if (!outputs) return Fail(ErrorKind::kFileSystem, outputs.error().message + "; run `xpu-align distill build` first");
  const Json touched = FactsTouched(world.scope, ScannedRepository(world.scope, slug), candidates, *outputs);
  TRY(store->Write(kFactsTouchedPath, WriteJson(touched)));
  size_t facts = 0;
  for (const Json& candidate : touched.ArrayOf("candidates")) facts += candidate.ArrayOf("facts").size();
  out << touched.ArrayOf("candidates").size() << " candidates lie in an area, " << facts << " facts are touched, "
      << touched.ArrayOf("drift").size() << " facts of shared files drifted, " << touched.ArrayOf("gaps").size()
      << " gaps of XPU; wrote " << (directory / kFactsTouchedPath).string() << "\n";
  return ExitCode::kComplete;
}

}  // namespace

Result<ExitCode> MapCommand(const Invocation& invocation, const DistillWorld& world, std::ostream& out) {
  if (!invocation.Value("run").empty())
    return MapRun(fs::absolute(invocation.Value("run")).lexically_normal(), invocation.Value("repository"), world, out);
  if (invocation.Value("paths-from").empty())
    return Fail(ErrorKind::kUsage, "distill map takes --run DIR or --paths-from FILE");
  TRY_ASSIGN(const std::string text, xpu_align::ReadFile(invocation.Value("paths-from")));
  const std::string repo = ScannedRepository(world.scope, invocation.Value("repository"));
  std::istringstream lines(text);
  Json list = Json::EmptyArray();
  for (std::string path; std::getline(lines, path);)
    if (!path.empty()) list.Append(ToJson(MapPath(world.scope, repo, path)));
  Json json;
  out << WriteJson(json.Set("schema", "distill/map@1").Set("paths", std::move(list)));
  return ExitCode::kComplete;
}

}  // namespace xpu_align
