// Redaction: takes out of logs and collect_env what must not reach a public page - credentials, home paths,
// hosts that are not public, e-mail and network addresses - and counts what it took. Used by report and
// drafts; the counts are shown so that a reviewer knows that something was there.
#pragma once
#include <map>
#include <string>

#include "text/untrusted_text.h"

namespace xpu_align {

class Redactor {
 public:
  // `text` with every secret replaced by a mark that names its kind, for example [user].
  UntrustedText Redact(const UntrustedText& text);
  // "2 home paths, 1 e-mail address"; empty when nothing was taken.
  std::string Summary() const;

 private:
  std::map<std::string, size_t> counts_;  // kind -> replacements
};

}  // namespace xpu_align
