// The sections of reports/full_scan.md, each as Markdown with its heading; empty when it has no content.
// Called by report.cc, which puts them in order.
#pragma once
#include <string>

#include "report/report.h"

namespace xpu_align {

std::string TitleSection(const ReportInput& input);
std::string WhatToLookAt(const ReportInput& input);
std::string Results(const ReportInput& input);
std::string OperatorGaps(const ReportInput& input);
std::string StaticFindings(const ReportInput& input);
std::string NotTested(const ReportInput& input);
std::string FinalSummary(const ReportInput& input);
std::string ProgressCheckpoint(const ReportInput& input);

}  // namespace xpu_align
