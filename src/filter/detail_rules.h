// DetailRules: rejections by what a candidate's title, body and labels say together (src/rules/deep.json).
// A rule holds when all of its conditions hold; the first rule that holds decides. Called by DeepFilter.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "filter/path_classes.h"
#include "filter/rule_text.h"
#include "filter/runnable.h"
#include "model/details.h"

namespace xpu_align {

struct DetailMatch {
  std::string rule, reason;  // the rule's id; its reason, of the closed list
  std::string text;          // for people
};

// What a rule on the text may ask about the diff.
struct DiffFacts {
  std::vector<PathClass> classes;  // of the functional files; empty without a diff
  bool adds_files_only = false;    // new functional files and their imports, nothing else
};

// nothing, test, script: as rules and examples write it.
std::optional<Runnable> RunnableNamed(std::string_view name);

class DetailRules {
 public:
  // The reasons that a deep rejection may give.
  static const std::vector<std::string>& Reasons();

  // `rules`: an array. kConfig when a rule is malformed or gives another reason.
  static Result<DetailRules> FromJson(const RuleText& text, const Json::Array& rules);

  std::optional<DetailMatch> Match(const Details& details, Runnable runnable, const DiffFacts& diff) const;
  // In the order in which they are asked.
  std::vector<DetailMatch> All() const;

 private:
  struct Rule {
    std::string id, reason, text;
    std::vector<Kind> kinds;
    std::vector<Runnable> runnable;          // empty: any
    std::vector<PathClass> unless_classes;  // the rule does not apply to a diff with such a file
    // On the title; on title and body; on some label, or with unless on every label.
    std::optional<Pattern> title, unless_title, words, unless_words, label, unless_label;
    bool adds_files_only = false;           // the rule asks for such a diff
    bool Holds(const Details& details, Runnable found, const DiffFacts& diff, const std::string& words_of_details) const;
  };
  std::vector<Rule> rules_;
};

}  // namespace xpu_align
