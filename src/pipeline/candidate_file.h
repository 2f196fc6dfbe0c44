// Reading the JSON file of one candidate from a run directory. A missing file is an ordinary answer; a damaged one
// costs its own candidate only. Used by the stages that read details, compositions and evidence.
#pragma once
#include <optional>
#include <string>

#include "json/json.h"
#include "ports/run_store.h"

namespace xpu_align {

// Nothing when there is no such file; the error of the read or of `from_json` with the path in front.
template <typename T>
Result<std::optional<T>> ReadCandidateFile(RunStore& store, const std::string& path,
                                           Result<T> (*from_json)(const Json&)) {
  const auto bytes = store.Read(path);
  if (!bytes && bytes.error().kind == ErrorKind::kNotFound) return std::optional<T>();
  if (!bytes) return std::unexpected<Error>(bytes.error());
  const auto json = ParseJson(*bytes);
  if (!json) return Fail(json.error(), path);
  auto value = from_json(*json);
  if (!value) return Fail(value.error(), path);
  return std::optional<T>(std::move(*value));
}

}  // namespace xpu_align
