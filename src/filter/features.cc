#include "filter/features.h"

#include <algorithm>
#include <set>

namespace xpu_align {

Result<Features> Features::FromJson(const RuleText& text, const Json::Array& rules) {
  Features made;
  std::set<std::string> ids;
  for (const Json& json : rules) {
    Rule rule;
    TRY_ASSIGN(rule.id, IdOf(json));
    rule.text = json.StringOr("text");
    TRY_ASSIGN(rule.label, text.Optional(json, "label"));
    TRY_ASSIGN(rule.words, text.Optional(json, "words"));
    if (rule.text.empty() || rule.label.has_value() == rule.words.has_value())
      return Fail(ErrorKind::kConfig, "feature " + rule.id + " needs a text and one of \"label\" and \"words\"");
    if (!ids.insert(rule.id).second) return Fail(ErrorKind::kConfig, "two features are named " + rule.id);
    made.rules_.push_back(std::move(rule));
  }
  return made;
}

std::vector<Feature> Features::Of(const Details& details) const {
  std::vector<Feature> found;
  const std::string words = std::string(details.title.ForMatching()) + "\n" + std::string(details.body.ForMatching());
  for (const Rule& rule : rules_) {
    if (rule.label) {
      const auto label = std::ranges::find_if(details.labels, [&](const std::string& one) { return rule.label->FoundIn(one); });
      if (label != details.labels.end()) found.push_back({rule.id, rule.text, UntrustedText(*label)});
    } else if (const auto match = rule.words->Find(words)) {
      found.push_back({rule.id, rule.text, UntrustedText(std::string(match->groups[0]))});
    }
  }
  return found;
}

}  // namespace xpu_align
