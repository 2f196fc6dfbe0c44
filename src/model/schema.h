// The `schema` member of every file in a run directory: xpu-align/<name>@<version>. The contract is
// docs/run-directory.md.
#pragma once
#include <string>
#include <string_view>

#include "json/json.h"

namespace xpu_align {

// "xpu-align/details@1".
std::string SchemaOf(std::string_view name);

// kProtocol when `json` is not an object of that schema and version.
Status CheckSchema(const Json& json, std::string_view name);

}  // namespace xpu_align
