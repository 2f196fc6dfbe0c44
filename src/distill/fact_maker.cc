#include "distill/fact_maker.h"

#include <algorithm>

namespace xpu_align::distill {
namespace {

constexpr size_t kMaxText = 400;  // of one text in a value

std::string Cut(std::string text) {
  if (text.size() <= kMaxText) return text;
  size_t end = kMaxText;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a code point
  text.resize(end);
  return text + "{}";
}

Json Cut(const Json& value, const SourceText& source) {
  if (value.IsString()) return Cut(source.Value(*value.AsString()));
  if (value.IsArray()) {
    Json out = Json::EmptyArray();
    for (const Json& one : *value.AsArray()) out.Append(Cut(one, source));
    return out;
  }
  if (!value.IsObject()) return value;
  Json out = Json::EmptyObject();
  for (const auto& [name, member] : *value.AsObject()) out.Set(name, Cut(member, source));
  return out;
}

bool ContainsIgnoringCase(std::string_view text, std::string_view lower) {
  return !std::ranges::search(text, lower, [](char a, char b) {
            return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b;
          }).empty();
}

}  // namespace

bool FactMaker::Wants(FactKind kind) const { return std::ranges::binary_search(kinds_, kind); }

Citation FactMaker::Cite(size_t begin, size_t end) const {
  const LineRange lines = file_.source.LinesOf(begin, end);
  return {file_.repo,
          file_.path,
          lines,
          file_.blob,
          file_.source.QuoteHash(lines),
          TokenHash(file_.source.Text().substr(begin, end - begin), file_.path)};
}

void FactMaker::Add(Seen seen, size_t begin, size_t end) { Add(std::move(seen), begin, end, 0, 0); }

void FactMaker::Add(Seen seen, size_t begin, size_t end, size_t second_begin, size_t second_end) {
  if (!Wants(seen.kind)) return;
  const auto outside = [&](size_t from, size_t to) {
    return file_.window && !file_.window->Contains(file_.source.LinesOf(from, to));
  };
  if (outside(begin, end) || (second_end > 0 && outside(second_begin, second_end))) return;
  Fact fact;
  fact.kind = seen.kind;
  fact.subject = file_.source.Value(seen.subject);
  fact.key = std::string(KindName(seen.kind)) + "|" + fact.subject;
  if (!seen.detail.empty()) fact.key += "|" + Cut(file_.source.Value(seen.detail));
  fact.value = Cut(seen.value, file_.source);
  fact.rule = seen.rule;
  fact.confidence = seen.confidence;
  fact.cites.push_back(Cite(begin, end));
  if (second_end > 0) {
    fact.confidence = Confidence::kDerived;
    fact.cites.push_back(Cite(second_begin, second_end));
  }
  const std::string_view text = file_.source.Text().substr(begin, end - begin);
  if (ContainsIgnoringCase(text, "privateuse1")) fact.audience.push_back("out-of-tree");
  if (ContainsIgnoringCase(text, "xpu") || ContainsIgnoringCase(file_.path, "xpu")) fact.audience.push_back("xpu");
  out_->push_back(std::move(fact));
}

bool IsContextMember(std::string_view name) {
  return name == "state" || name == "binding" || name == "guard" || name == "library" || name == "class" ||
         name == "dispatch" || name == "read_once" || name == "reader" || name == "allowed" || name == "under";
}

}  // namespace xpu_align::distill
