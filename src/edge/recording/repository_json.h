// Answers of a RepositoryReader as JSON and back, byte for byte. Reading refuses what is no such answer: object ids are
// ids, counts are counts. Used by recorded_repository.cc.
#pragma once
#include "json/json.h"
#include "ports/repository_reader.h"

namespace xpu_align {

Json CommitToJson(const TrunkCommit& commit);
Result<TrunkCommit> CommitFromJson(const Json& json);
Json CommitsToJson(const std::vector<TrunkCommit>& commits);
Result<std::vector<TrunkCommit>> CommitsFromJson(const Json& json);
Json TextsToJson(const std::vector<UntrustedText>& texts);
Result<std::vector<UntrustedText>> TextsFromJson(const Json& json);
Json DiffToJson(const RepositoryDiff& diff);
Result<RepositoryDiff> DiffFromJson(const Json& json);

}  // namespace xpu_align
