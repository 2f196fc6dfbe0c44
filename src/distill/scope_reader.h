// ScopeReader: one JSON object of a scope file, read member by member; what is missing, of another type or not asked
// for becomes a D101 with the place. Used by scope.cc.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "distill/finding.h"
#include "distill/path_glob.h"
#include "json/json.h"

namespace xpu_align::distill {

enum class Presence { kRequired, kOptional };

class ScopeReader {
 public:
  ScopeReader(const Json& json, std::string where, std::vector<Finding>* findings);

  // Reports every member that none of the calls below asked for.
  void RefuseOthers();

  // Printable, on one line, without leading or trailing space.
  std::string Text(std::string_view key, Presence presence, size_t max_bytes = 300);
  // One of the words.
  std::string Word(std::string_view key, std::initializer_list<std::string_view> words);
  // a-z, 0-9, and between them '-' or '_'; at most 64.
  std::string Id(std::string_view key);
  int64_t Number(std::string_view key, int64_t fallback, int64_t most);
  std::vector<std::string> Texts(std::string_view key, Presence presence);
  std::vector<PathGlob> Globs(std::string_view key, Presence presence);
  // A path without wildcard that stays in the repository.
  std::string Path(std::string_view key, Presence presence);
  // The members of an array of objects, each with its place.
  std::vector<ScopeReader> Objects(std::string_view key, Presence presence);
  // An object; one without members when it is missing.
  ScopeReader Object(std::string_view key, Presence presence);
  // Keys and values of an object that is a map.
  const Json::Object& Map(std::string_view key);

  static bool IsId(std::string_view text);
  bool Has(std::string_view key) const { return json_.Has(key); }
  const std::string& Where() const { return where_; }
  void Refuse(std::string_view key, const std::string& why);

 private:
  const Json& Member(std::string_view key);

  const Json& json_;
  std::string where_;
  std::vector<Finding>* findings_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace xpu_align::distill
