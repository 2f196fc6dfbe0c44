#include "model/schema.h"

#include "text/untrusted_text.h"

namespace xpu_align {

std::string SchemaOf(std::string_view name) { return "xpu-align/" + std::string(name) + "@1"; }

Status CheckSchema(const Json& json, std::string_view name) {
  const std::string found = json.StringOr("schema");
  if (found == SchemaOf(name)) return {};
  return Fail(ErrorKind::kProtocol,
              "expected schema " + SchemaOf(name) + ", found " +
                  (found.empty() ? std::string("none") : UntrustedText(found).ForLogLine(60)));
}

}  // namespace xpu_align
