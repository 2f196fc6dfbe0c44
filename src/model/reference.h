// Reference: one item that a person or an event names: issue:197888, pr:190638@SHA, commit:SHA or a URL.
// Strict grammar: what does not match is refused, never guessed. Used by spot.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/candidate.h"

namespace xpu_align {

struct Reference {
  Kind kind = Kind::kIssue;
  int64_t number = 0;  // issues and pull requests
  std::string sha;     // commits: full sha; pull requests: the head that was meant, may be empty
  bool operator==(const Reference&) const = default;

  CandidateId Id() const;
};

// `repository`: OWNER/NAME that URLs must point into. kUsage with what is accepted.
Result<Reference> ParseReference(std::string_view text, std::string_view repository);

// References in the event file of a GitHub Actions run (GITHUB_EVENT_PATH): the event's own item when it belongs to
// `repository`, else the URLs of `repository` and OWNER/NAME#N in its title and body. Only numbers and object ids
// are taken. In the order found, without repetition; empty when there are none.
std::vector<Reference> ReferencesInEvent(const Json& event, std::string_view repository);

}  // namespace xpu_align
