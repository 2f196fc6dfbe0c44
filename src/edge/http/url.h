// Addresses as far as a redirect policy needs them: origins, and a Location resolved against its page.
// Used by edge/http; parsing is libcurl's own, so that both agree on what the host is.
#pragma once
#include <optional>
#include <string>

namespace xpu_align {

// "https://api.github.com:443", with the port always written; empty when `url` is no http or https address.
std::string OriginOf(const std::string& url);

// The address that `location` means on the page `base`; nothing when it is none, or no http(s).
std::optional<std::string> ResolveRedirect(const std::string& base, const std::string& location);

// False for https to http.
bool KeepsSecurity(const std::string& from, const std::string& to);

}  // namespace xpu_align
