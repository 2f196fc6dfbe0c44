#include <algorithm>
#include <cstdlib>
#include <functional>
#include <tuple>

#include "distill/drift.h"

namespace xpu_align::distill {
namespace {

constexpr std::string_view kNames[] = {"same",     "moved",   "relocated", "reformatted",
                                       "reworded", "changed", "vanished",  "new"};

std::string PlaceOf(const Fact& fact) { return fact.Cite().repo + ":" + fact.Cite().path; }
std::string KeyOf(const Fact& fact) { return fact.Cite().repo + "|" + fact.key; }

// Without a message the key is the condition itself: another condition is another check.
bool IsWeak(const Fact& fact) { return fact.kind == FactKind::kCheck && !fact.value.Has("message"); }

// A check keeps its identity when only its message changed.
std::string ConditionKey(const Fact& fact) {
  const std::string condition = fact.value.StringOr(fact.value.Has("condition") ? "condition" : "under");
  if ((fact.kind != FactKind::kCheck && fact.kind != FactKind::kWarn) || condition.empty() ||
      !fact.value.Has("message"))
    return {};
  return fact.Cite().repo + "|" + std::string(KindName(fact.kind)) + "|" + fact.subject + "|" +
         fact.value.StringOr("macro") + "|" + condition;
}

class Matcher {
 public:
  Matcher(const std::vector<Fact>& before, const std::vector<Fact>& after, const Renames& renames)
      : before_(before),
        after_(after),
        renames_(renames),
        match_(before.size(), nullptr),
        state_(before.size(), DriftState::kVanished) {
    for (const Fact& fact : after) used_[&fact] = false;
  }

  using Key = std::function<std::string(const Fact&)>;
  using Judge = std::function<DriftState(const Fact&, const Fact&)>;

  // Pairs what has the same key and is not paired yet. An empty key pairs with nothing.
  void Stage(const Key& old_key, const Key& new_key, const Judge& judge) {
    std::map<std::string, std::vector<const Fact*>> candidates;
    for (const Fact& fact : after_)
      if (!used_[&fact])
        if (std::string key = new_key(fact); !key.empty()) candidates[std::move(key)].push_back(&fact);
    std::vector<Pair> pairs;
    for (size_t i = 0; i < before_.size(); ++i) {
      if (match_[i]) continue;
      const auto found = candidates.find(old_key(before_[i]));
      if (found == candidates.end() || found->first.empty()) continue;
      for (const Fact* fact : found->second) pairs.push_back(PairOf(i, *fact));
    }
    // The nearest pairs first; the rest decides ties.
    std::ranges::sort(pairs, {}, [](const Pair& pair) {
      return std::tuple(pair.elsewhere, pair.distance, pair.index, pair.after->Cite().path, pair.after->Cite().lines,
                        pair.after->key);
    });
    for (const Pair& pair : pairs) {
      if (match_[pair.index] || used_[pair.after]) continue;
      match_[pair.index] = pair.after;
      used_[pair.after] = true;
      state_[pair.index] = judge(before_[pair.index], *pair.after);
    }
  }

  // Where the old place is now: its new name when it was renamed.
  std::string NowAt(const Fact& fact) const {
    const auto renamed = renames_.find(PlaceOf(fact));
    return renamed == renames_.end() ? PlaceOf(fact) : fact.Cite().repo + ":" + renamed->second;
  }

  AreaDrift Result(const std::string& area) const {
    AreaDrift drift{.area = area};
    for (size_t i = 0; i < before_.size(); ++i) drift.facts.push_back({state_[i], &before_[i], match_[i]});
    for (const Fact& fact : after_)
      if (!used_.at(&fact)) drift.facts.push_back({DriftState::kNew, nullptr, &fact});
    for (const DriftedFact& fact : drift.facts) ++drift.counts[fact.state];
    return drift;
  }

 private:
  struct Pair {
    size_t index;
    const Fact* after;
    bool elsewhere;
    int distance;
  };

  Pair PairOf(size_t index, const Fact& after) const {
    const Fact& before = before_[index];
    return {index, &after, PlaceOf(after) != NowAt(before),
            std::abs(after.Cite().lines.first - before.Cite().lines.first)};
  }

  const std::vector<Fact>& before_;
  const std::vector<Fact>& after_;
  const Renames& renames_;
  std::vector<const Fact*> match_;
  std::vector<DriftState> state_;
  std::map<const Fact*, bool> used_;
};

}  // namespace

std::string_view StateName(DriftState state) { return kNames[static_cast<size_t>(state)]; }

Result<std::vector<DriftState>> StatesNamed(const std::string& list) {
  std::vector<DriftState> states;
  for (size_t at = 0; list != "never" && at <= list.size();) {
    const size_t end = std::min(list.find(',', at), list.size());
    const auto* name = std::ranges::find(kNames, std::string_view(list).substr(at, end - at));
    if (name == std::end(kNames))
      return Fail(ErrorKind::kUsage,
                  "--fail-on of distill takes states of facts, for example changed,vanished, not '" + list + "'");
    states.push_back(static_cast<DriftState>(name - kNames));
    at = end + 1;
  }
  return states;
}

AreaDrift CompareFacts(const std::string& area, const std::vector<Fact>& before, const std::vector<Fact>& after,
                       const Renames& renames) {
  Matcher matcher(before, after, renames);
  // The guard around the same lines may be another one, and the second citation of a derived fact may say something
  // else.
  const auto unless_changed = [](DriftState state) {
    return [state](const Fact& a, const Fact& b) { return a.value == b.value ? state : DriftState::kChanged; };
  };
  const auto moved = [&](const Fact& a, const Fact& b) {
    return unless_changed(a.Cite().lines == b.Cite().lines ? DriftState::kSame : DriftState::kMoved)(a, b);
  };
  const auto lines = [](const Fact& fact) {
    return std::to_string(fact.Cite().lines.first) + "-" + std::to_string(fact.Cite().lines.last);
  };
  // 1. The blob is the same one.
  const auto in_blob = [&](const Fact& fact) {
    return PlaceOf(fact) + "|" + fact.Cite().blob + "|" + lines(fact) + "|" + fact.key;
  };
  matcher.Stage(in_blob, in_blob, unless_changed(DriftState::kSame));
  // 2. The same lines stand in the same file.
  const auto quoted = [](const Fact& fact) { return PlaceOf(fact) + "|" + fact.Cite().quote + "|" + fact.key; };
  matcher.Stage(quoted, quoted, moved);
  // 3. They stand in another file.
  const auto quoted_anywhere = [](const Fact& fact) { return fact.Cite().quote + "|" + KeyOf(fact); };
  matcher.Stage(quoted_anywhere, quoted_anywhere, unless_changed(DriftState::kRelocated));
  // 4. The tokens are the same, in the same file or the one it was renamed to.
  matcher.Stage([&](const Fact& fact) { return matcher.NowAt(fact) + "|" + fact.Cite().tokens + "|" + fact.key; },
                [](const Fact& fact) { return PlaceOf(fact) + "|" + fact.Cite().tokens + "|" + fact.key; },
                unless_changed(DriftState::kReformatted));
  // 5. It is about the same thing.
  const auto same_value = [](const Fact& a, const Fact& b) {
    return a.value == b.value ? DriftState::kReworded : DriftState::kChanged;
  };
  // A weak key is only the same with the same value: such a fact is never `changed`.
  const auto key = [](const Fact& fact) {
    return IsWeak(fact) ? KeyOf(fact) + WriteJsonLine(fact.value) : KeyOf(fact);
  };
  matcher.Stage(key, key, same_value);
  matcher.Stage(ConditionKey, ConditionKey, same_value);
  return matcher.Result(area);
}

}  // namespace xpu_align::distill
