// Features: what labels, fields of the report form and words of hardware say of a candidate (src/rules/deep.json). Shown by
// explain so that a person can sort by them; never a reason to reject or to run anything: labels come late and are often
// wrong. Made by DeepFilter.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "filter/rule_text.h"
#include "model/details.h"

namespace xpu_align {

struct Feature {
  std::string id, text;
  UntrustedText seen;  // the label, or the words of title and body
};

class Features {
 public:
  // `rules`: an array of {"id", "text", and one of "label" and "words"}. kConfig when one is malformed.
  static Result<Features> FromJson(const RuleText& text, const Json::Array& rules);
  // In the order of the rules.
  std::vector<Feature> Of(const Details& details) const;

 private:
  struct Rule {
    std::string id, text;
    std::optional<Pattern> label, words;
  };
  std::vector<Rule> rules_;
};

}  // namespace xpu_align
