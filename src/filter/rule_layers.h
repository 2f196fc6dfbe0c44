// RuleLayers: the rules of triage, put together from what is common (src/rules/{title,paths,deep}.json), what a target
// adds (src/rules/triage/<target>.json) and what a user adds or switches off (--rules FILE). A later layer is asked
// first. Refuses unknown ids, unknown members and an id that is there already. Used by app and tests.
#pragma once
#include <string>
#include <vector>

#include "json/json.h"
#include "text/error.h"

namespace xpu_align {

struct TriageRules {
  Json title, paths, deep;  // in the formats of TitleFilter, PathClasses and DeepFilter
};

// What a layer did, for people and the manifest.
struct LayerChanges {
  std::vector<std::string> added, switched_off;  // ids
};

// `layer`: {"schema": "xpu-align/triage-rules@1", "off": [ids], "title": [rules], "paths": [rules], "deep": [rules],
// "stems": {...}}, every member optional. Switched off can also be the rules of DeepFilter that are no data, by the
// ids of docs/rules.md. kConfig names what is wrong.
Result<LayerChanges> AddLayer(const Json& layer, TriageRules* rules);

}  // namespace xpu_align
