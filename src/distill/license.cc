#include "distill/license.h"

namespace xpu_align::distill {

std::string LicenseName(std::string_view text) {
  std::string words;  // lines of licences are broken anywhere
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '*';
    if (!space)
      words += c;
    else if (!words.ends_with(' '))
      words += ' ';
  }
  if (words.contains("Redistribution and use in source and binary forms"))
    return words.contains("endorse or promote products") ? "BSD-3-Clause" : "BSD-2-Clause";
  if (words.contains("Apache License Version 2.0")) return "Apache-2.0";
  if (words.contains("Permission is hereby granted, free of charge")) return "MIT";
  return "LicenseRef-custom";
}

}  // namespace xpu_align::distill
