// SHA-256 as lower-case hex. Used for identities, manifests, fingerprints and spans;
// never for secrets.
#pragma once
#include <string>
#include <string_view>

namespace xpu_align {

// 64 hex digits.
std::string Sha256Hex(std::string_view bytes);

}  // namespace xpu_align
