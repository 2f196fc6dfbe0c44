#include "edge/recording/repository_json.h"

#include "edge/recording/encoding.h"

namespace xpu_align {
namespace {

Result<std::string> ShaMember(const Json& json, std::string_view key) {
  TRY_ASSIGN(std::string sha, json.String(key));
  if (!IsFullSha(sha)) return Fail(ErrorKind::kProtocol, std::string(key) + " is no object id");
  return sha;
}

Result<UntrustedText> TextMember(const Json& json, std::string_view key) {
  if (!json.Has(key)) return UntrustedText();
  auto text = TextFromJson(json[key]);
  if (!text) return Fail(text.error(), std::string(key));
  return text;
}

// Left out when empty, unlike an empty text with a newline.
void SetText(Json* json, std::string_view key, const UntrustedText& text) {
  if (!text.Empty()) json->Set(key, TextToJson(text));
}

Json FileToJson(const ChangedFile& file) {
  Json json = Json().Set("status", file.status).Set("additions", file.additions).Set("deletions", file.deletions);
  SetText(&json, "path", file.path);
  SetText(&json, "previous_path", file.previous_path);
  SetText(&json, "patch", file.patch);
  return json;
}

Result<ChangedFile> FileFromJson(const Json& json) {
  ChangedFile file;
  TRY_ASSIGN(file.status, json.String("status"));
  TRY_ASSIGN(file.additions, json.Int("additions"));
  TRY_ASSIGN(file.deletions, json.Int("deletions"));
  TRY_ASSIGN(file.path, TextMember(json, "path"));
  TRY_ASSIGN(file.previous_path, TextMember(json, "previous_path"));
  TRY_ASSIGN(file.patch, TextMember(json, "patch"));
  return file;
}

}  // namespace

Json CommitToJson(const TrunkCommit& commit) {
  Json json = Json()
                  .Set("sha", commit.sha)
                  .SetIfAny("parents", commit.parents)
                  .Set("authored_at", commit.authored_at)
                  .Set("committed_at", commit.committed_at);
  SetText(&json, "message", commit.message);
  SetText(&json, "author", commit.author);
  return json;
}

Result<TrunkCommit> CommitFromJson(const Json& json) {
  TrunkCommit commit;
  TRY_ASSIGN(commit.sha, ShaMember(json, "sha"));
  for (const Json& parent : json.ArrayOf("parents")) {
    if (!parent.IsString() || !IsFullSha(*parent.AsString()))
      return Fail(ErrorKind::kProtocol, "parents holds something else than object ids");
    commit.parents.push_back(*parent.AsString());
  }
  TRY_ASSIGN(commit.authored_at, json.Int("authored_at"));
  TRY_ASSIGN(commit.committed_at, json.Int("committed_at"));
  TRY_ASSIGN(commit.message, TextMember(json, "message"));
  TRY_ASSIGN(commit.author, TextMember(json, "author"));
  return commit;
}

Json CommitsToJson(const std::vector<TrunkCommit>& commits) {
  Json list = Json::EmptyArray();
  for (const TrunkCommit& commit : commits) list.Append(CommitToJson(commit));
  return list;
}

Result<std::vector<TrunkCommit>> CommitsFromJson(const Json& json) {
  if (!json.IsArray()) return Fail(ErrorKind::kProtocol, "a list of commits is none");
  std::vector<TrunkCommit> commits;
  for (const Json& element : *json.AsArray()) {
    TRY_ASSIGN(TrunkCommit commit, CommitFromJson(element));
    commits.push_back(std::move(commit));
  }
  return commits;
}

Json TextsToJson(const std::vector<UntrustedText>& texts) {
  Json list = Json::EmptyArray();
  for (const UntrustedText& text : texts) list.Append(TextToJson(text));
  return list;
}

Result<std::vector<UntrustedText>> TextsFromJson(const Json& json) {
  if (!json.IsArray()) return Fail(ErrorKind::kProtocol, "a list of names is none");
  std::vector<UntrustedText> texts;
  for (const Json& element : *json.AsArray()) {
    TRY_ASSIGN(UntrustedText text, TextFromJson(element));
    texts.push_back(std::move(text));
  }
  return texts;
}

Json DiffToJson(const RepositoryDiff& diff) {
  Json files = Json::EmptyArray();
  for (const ChangedFile& file : diff.files) files.Append(FileToJson(file));
  Json json = Json().SetIfAny("base_sha", diff.base_sha).Set("base_source", Name(diff.base_source)).Set("files", files);
  if (diff.files_left_out > 0) json.Set("files_left_out", diff.files_left_out);
  return json;
}

Result<RepositoryDiff> DiffFromJson(const Json& json) {
  RepositoryDiff diff;
  if (!json["files"].IsArray()) return Fail(ErrorKind::kProtocol, "a diff has no files");
  if (json.Has("base_sha")) {
    TRY_ASSIGN(diff.base_sha, ShaMember(json, "base_sha"));
  }
  const auto source = BaseSourceNamed(json.StringOr("base_source"));
  if (!source) return Fail(ErrorKind::kProtocol, "base_source names no way to find a base");
  diff.base_source = *source;
  for (const Json& element : json.ArrayOf("files")) {
    TRY_ASSIGN(ChangedFile file, FileFromJson(element));
    diff.files.push_back(std::move(file));
  }
  diff.files_left_out = static_cast<size_t>(std::max<int64_t>(0, json.IntOr("files_left_out")));
  return diff;
}

}  // namespace xpu_align
