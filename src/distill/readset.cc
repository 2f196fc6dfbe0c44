#include "distill/readset.h"

namespace xpu_align::distill {
namespace {

constexpr std::string_view kSkipNames[] = {"excluded",  "binary",           "submodule",        "symlink",
                                           "generated", "over-file-budget", "over-area-budget", "owned"};

Json ToJson(const ReadFile& file) {
  Json json;
  char mode[16];
  std::snprintf(mode, sizeof mode, "%06o", file.mode);
  json.Set("repo", file.repo).Set("path", file.path).Set("mode", mode).Set("blob", file.blob);
  json.Set("bytes", file.bytes).Set("lines", file.lines).Set("encoding", file.encoding).Set("eol", file.eol);
  json.Set("bom", file.byte_order_mark).Set("sha256", file.sha256);
  json.Set("window", file.window ? Json(Json::Array{file.window->first, file.window->last}) : Json());
  return json;
}

Json ToJson(const AreaReadset& area) {
  Json files = Json::EmptyArray(), skipped = Json::EmptyArray(), empty = Json::EmptyArray(), totals;
  for (const ReadFile& file : area.files) files.Append(ToJson(file));
  for (const SkippedFile& file : area.skipped) {
    Json one;
    one.Set("repo", file.repo).Set("path", file.path).Set("reason", SkipName(file.reason)).Set("detail", file.detail);
    skipped.Append(std::move(one));
  }
  for (const EmptyGlob& glob : area.empty_globs) {
    Json one;
    one.Set("repo", glob.repo).Set("glob", glob.glob).Set("nearest", Json(glob.nearest));
    empty.Append(std::move(one));
  }
  totals.Set("files", area.files.size()).Set("bytes", area.bytes).Set("lines", area.lines);
  Json json;
  json.Set("id", area.area).Set("files", std::move(files)).Set("skipped", std::move(skipped));
  json.Set("empty_globs", std::move(empty)).Set("totals", std::move(totals));
  return json;
}

}  // namespace

std::string_view SkipName(SkipReason reason) { return kSkipNames[static_cast<size_t>(reason)]; }

Json ToJson(const Readset& readset) {
  Json repositories = Json::EmptyArray(), areas = Json::EmptyArray();
  for (const GroundedRepository& one : readset.repositories) {
    Json json;
    json.Set("id", one.id).Set("slug", one.slug).Set("pin", one.pin).Set("tree", one.tree).Set("label", one.label);
    json.Set("commit_time", one.committed_at);
    json.Set("object_format", "sha1").Set("license", one.license).Set("existing_owners", Json(one.existing_owners));
    repositories.Append(std::move(json));
  }
  for (const AreaReadset& area : readset.areas) areas.Append(ToJson(area));
  Json json;
  json.Set("schema", "distill/readset@1").Set("scope_sha256", readset.scope_sha256);
  json.Set("repos", std::move(repositories)).Set("areas", std::move(areas));
  return json;
}

}  // namespace xpu_align::distill
