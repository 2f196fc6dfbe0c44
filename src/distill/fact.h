// Fact: one statement that stands in a file at a pin, with the citation that proves it. Holds text of the repository
// as it is there; renderers make it harmless. Made by the extractors, written into cards, checked by verify.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "text/error.h"

namespace xpu_align::distill {

enum class FactKind {
  kReg,       // a registration with the dispatcher, a registry, a hook
  kDispatch,  // a dispatch key that a block of registrations is for
  kEnv,       // an environment variable that is read
  kEnvSet,    // one that is written
  kCfg,       // a key of a configuration
  kEnum,      // an enumeration with its members
  kState,     // states and transitions
  kCheck,     // a condition that must hold, with its message; a throw or raise
  kWarn,
  kConst,
  kField,     // a data member with its default
  kVirtual,   // a member that a backend may or must fill
  kOverride,  // a member that a backend fills
  kApi,       // a public function or class with its signature
  kMacro,     // a definition of a macro
};

std::string_view KindName(FactKind kind);
std::optional<FactKind> KindNamed(std::string_view name);
// All, in the order above, which is the order in cards.
const std::vector<FactKind>& AllKinds();

enum class Confidence {
  kLiteral,  // the text as it is
  kDerived,  // joined from two citations
  kPartial,  // computed parts are shown as {}
};

// 1-based, inclusive.
struct LineRange {
  int first = 0, last = 0;
  bool Contains(const LineRange& inner) const { return first <= inner.first && inner.last <= last; }
  bool Overlaps(const LineRange& other) const { return first <= other.last && other.first <= last; }
  auto operator<=>(const LineRange&) const = default;
};

struct Citation {
  std::string repo;  // id in the scope
  std::string path;
  LineRange lines;
  std::string blob;    // object id
  std::string quote;   // "sha256:" of the lines, each without its CR, joined by LF, no LF at the end
  std::string tokens;  // "sha256:" of the tokens: comments, white space, line breaks and trailing commas do not count
  auto operator<=>(const Citation&) const = default;
};

struct Fact {
  std::string id;  // F- and 8 or more hex digits; empty until the facts of an area are numbered
  FactKind kind = FactKind::kReg;
  std::string subject;  // what it is about: a function, a variable, a class member
  std::string key;      // kind|subject|..., without the value: the same fact has the same key at another pin
  Json value = Json::EmptyObject();
  std::vector<Citation> cites;  // one; two when derived
  int nth = 1, of = 1;          // among the facts of the area with this key
  std::string rule;             // cpp.check@1
  Confidence confidence = Confidence::kLiteral;
  std::vector<std::string> audience;  // out-of-tree, xpu, vendor

  const Citation& Cite() const { return cites.front(); }
};

Json ToJson(const Citation& citation);
Json ToJson(const Fact& fact);
// kProtocol when a member is missing or has another shape; unknown members are refused.
Result<Fact> FactFromJson(const Json& json);

// Order of a card: kind, path, lines, key.
bool Precedes(const Fact& a, const Fact& b);
// Sorts, sets nth/of, gives each fact its id: F- and the first 8 hex digits of sha256(repo|kind|key), with |nth behind
// for all but the first, longer on a collision. No path, line or pin is in it.
void NumberFacts(std::vector<Fact>* facts);

}  // namespace xpu_align::distill
