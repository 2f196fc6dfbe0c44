#include "model/history.h"

namespace xpu_align {
namespace {

template <typename T>
struct Named {
  T value;
  std::string_view name;
};

constexpr Named<RunOutcome> kOutcomes[] = {
    {RunOutcome::kComplete, "complete"}, {RunOutcome::kPartial, "partial"}, {RunOutcome::kFailed, "failed"}};
constexpr Named<Reached> kReached[] = {{Reached::kTitleRejected, "title-rejected"},
                                       {Reached::kDeepRejected, "deep-rejected"},
                                       {Reached::kChained, "chained"},
                                       {Reached::kPending, "pending"},
                                       {Reached::kDone, "done"}};

template <typename T, size_t N>
std::string_view NameIn(const Named<T> (&table)[N], T value) {
  for (const Named<T>& entry : table)
    if (entry.value == value) return entry.name;
  CHECK(false);
}

template <typename T, size_t N>
std::optional<T> FindIn(const Named<T> (&table)[N], std::string_view name) {
  for (const Named<T>& entry : table)
    if (entry.name == name) return entry.value;
  return std::nullopt;
}

}  // namespace

std::string_view Name(RunOutcome outcome) { return NameIn(kOutcomes, outcome); }
std::string_view Name(Reached reached) { return NameIn(kReached, reached); }
std::optional<RunOutcome> RunOutcomeNamed(std::string_view name) { return FindIn(kOutcomes, name); }
std::optional<Reached> ReachedNamed(std::string_view name) { return FindIn(kReached, name); }

}  // namespace xpu_align
