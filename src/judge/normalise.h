// Normalising of messages: what changes from machine to machine (numbers, paths, addresses, device names)
// becomes a slot, so that messages of two machines can be compared. Similarity counts tokens, nothing is
// learnt or guessed. Used by signatures and by the finding fingerprint: a change here changes fingerprints.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace xpu_align {

class Normaliser {
 public:
  // `device_names`: lower case; a name alone or with an index (cuda, cuda:0) becomes <device>.
  explicit Normaliser(std::vector<std::string> device_names);

  // One line: slots <n> <addr> <path> <device>, shapes of any rank as [<n>], white space collapsed; what follows
  // the message proper (C++ backtraces, hints to set variables) is cut.
  std::string Apply(std::string_view message) const;

 private:
  std::string WithDeviceSlots(std::string_view text) const;
  std::set<std::string, std::less<>> device_names_;
};

// The first line of a message, before normalising.
std::string_view FirstLine(std::string_view message);

// 0 to 1: twice the shared tokens over all tokens (Dice, as multisets). 0 when a side has no word, since slots
// and punctuation alone say nothing.
double Similarity(std::string_view normalised, std::string_view other);

// Two normalised messages say the same.
constexpr double kSimilarEnough = 0.8;

}  // namespace xpu_align
