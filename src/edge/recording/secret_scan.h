// SecretScan: finds the token of this run, in every form in which it could travel, and anything that looks like a
// token of GitHub. Nothing reaches a recording that was not scanned. Used by recording_writer.cc.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xpu_align {

class SecretScan {
 public:
  // A token of fewer than 8 characters is no secret and would be found everywhere: only the patterns count then.
  explicit SecretScan(std::string_view token);

  // What was found, for a message: it names the form and never shows the bytes. Nothing: clean.
  std::optional<std::string> FindIn(std::string_view bytes) const;

 private:
  std::optional<std::string> FindPlain(std::string_view bytes) const;

  std::vector<std::pair<std::string, std::string>> forms_;  // name, bytes
};

}  // namespace xpu_align
