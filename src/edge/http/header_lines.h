// Header lines as a server sends them, collected into HttpResponse. An interim answer (100, or a proxy's
// 200 to CONNECT) is forgotten when the next status line comes. Used by http_client.cc.
#pragma once
#include <string_view>

#include "ports/http.h"

namespace xpu_align {

// `line` with its line end, as libcurl hands it over. Broken lines are left out.
void TakeHeaderLine(std::string_view line, HttpResponse* response);

}  // namespace xpu_align
