// Any JSON as a file of a run directory: each codec refuses or gives a value whose JSON is accepted again.
#include <cstdint>

#include "model/composition.h"
#include "model/details.h"
#include "model/evidence.h"
#include "model/ledger_row.h"
#include "model/target_profile.h"

namespace xpu_align {
namespace {

template <typename T>
void RoundTrip(const Json& json, Result<T> (*from_json)(const Json&)) {
  const auto value = from_json(json);
  if (!value) return;
  const Json written = ToJson(*value);
  const auto again = from_json(written);
  CHECK(again.has_value());
  CHECK(ToJson(*again) == written);
}

}  // namespace
}  // namespace xpu_align

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace xpu_align;
  const auto json = ParseJson({reinterpret_cast<const char*>(data), size});
  if (!json) return 0;
  RoundTrip(*json, CandidateFromJson);
  RoundTrip(*json, DetailsFromJson);
  RoundTrip(*json, LedgerRowFromJson);
  RoundTrip(*json, CompositionFromJson);
  RoundTrip(*json, EvidenceFromJson);
  static_cast<void>(TargetProfileFromJson(*json));
  return 0;
}
