// Encodings of a recording: upstream text as JSON that a person can read and that gives back the same bytes, and
// base64 for bytes that are no text. Refuses other JSON. Used by the other files of edge/recording.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "json/json.h"
#include "text/untrusted_text.h"

namespace xpu_align {

// RFC 4648, with padding.
std::string Base64(std::string_view bytes);
// Nothing when `text` is not what Base64 gives.
std::optional<std::string> FromBase64(std::string_view text);

// A string; the array of its lines when there is a newline; {"base64": ...} when it is no UTF-8.
Json TextToJson(const UntrustedText& text);
Result<UntrustedText> TextFromJson(const Json& json);

// {"kind": "network", "message": ...}
Json ErrorToJson(const Error& error);
Result<Error> ErrorFromJson(const Json& json);

}  // namespace xpu_align
