#include "edge/http/header_lines.h"

#include <gtest/gtest.h>

namespace xpu_align {
namespace {

TEST(HeaderLinesTest, BrokenLinesAreLeftOut) {
  HttpResponse response;
  for (const char* line : {"ETag: \"a\"\r\n", ": b\r\n", " : c\r\n", "no colon\r\n", "\r\n"}) TakeHeaderLine(line, &response);
  EXPECT_EQ(response.headers.size(), 1u);
  EXPECT_EQ(response.Header("etag"), "\"a\"");
}

}  // namespace
}  // namespace xpu_align
