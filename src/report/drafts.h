// Drafts: one issue draft for each finding. Title and body are made here and nowhere else, so that what is
// filed later is what was reviewed. A body is below GitHub's limit by construction, and no line of it can be
// read as a command or a mention. Called by RenderDrafts and by filing.
#pragma once
#include <string>
#include <vector>

#include "report/report.h"

namespace xpu_align {

constexpr size_t kMaxDraftBody = 65'536;  // characters; GitHub refuses longer bodies

enum class DraftPart { kProposed, kTracked };

struct Draft {
  CandidateId id;
  DraftPart part = DraftPart::kTracked;
  std::string title;  // plain text: one printable line
  std::vector<std::string> labels;
  std::string body;  // Markdown
};

// `prefix` and the bug's title as one printable line of at most 256 characters; a title that already has the
// prefix keeps one.
std::string DraftTitle(const std::string& prefix, const UntrustedText& title);

// Proposed first; within a part in the order of Findings().
std::vector<Draft> DraftsOf(const ReportInput& input);

}  // namespace xpu_align
