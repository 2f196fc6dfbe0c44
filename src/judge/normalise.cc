#include "judge/normalise.h"

#include <algorithm>
#include <map>
#include <utility>

#include "text/pattern.h"

namespace xpu_align {
namespace {

constexpr size_t kMaxMessage = 4000;  // bytes compared; longer messages repeat themselves or dump data

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Where the message proper ends: texts that torch appends to any message.
const Pattern& Appendix() {
  static const Pattern pattern = Pattern::Constant(
      R"((?m)^\s*(?:Exception raised from .* \(most recent call first\)|from user code:|Set TORCH(?:DYNAMO)?_\w+=|)"
      R"(You can suppress this exception|C\+\+ CapturedTraceback:|Compile with `?TORCH_USE_))");
  return pattern;
}

struct Slot {
  Pattern pattern;
  std::string replacement;
};

// In this order: an address holds digits, a path may hold both. Numbers come last, by hand.
const std::vector<Slot>& Slots() {
  static const std::vector<Slot> slots = [] {
    std::vector<Slot> made;
    const auto add = [&](std::string_view expression, std::string replacement) {
      made.push_back({Pattern::Constant(expression), std::move(replacement)});
    };
    // Placeholders of execute, which has normalised its output already.
    add(R"(<address>)", "<addr>");
    add(R"(/(?:tmp|scratch)/[\w./\-]*<(?:name|generated)>)", "<path>");
    add(R"(<(?:time|duration|id)>)", "<n>");
    add(R"(\b\d+(?:\.\d+)?(?:e[-+]?\d+)? ?(?:ns|us|ms|s|secs?|seconds?|minutes?)\b)", "<n>");
    add("\x1b\\[[0-9;]*[A-Za-z]", "");
    add(R"(\b0x[0-9a-fA-F]+\b)", "<addr>");
    add(R"([\w.+\-]*(?:[\\/][\w.+\-]+){2,}(?::\d+)?)", "<path>");
    add(R"(\b[\w.+\-]+(?:/[\w.+\-]+)+\.(?:py|cpp|cu|h|cc|sycl|so)(?::\d+)?\b)", "<path>");
    return made;
  }();
  return slots;
}

bool StartsNumber(std::string_view text, size_t at) {
  const auto digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  if (at > 0 && (IsWordByte(text[at - 1]) || text[at - 1] == '<')) return false;
  if (digit(at)) return true;
  return text[at] == '.' && digit(at + 1) && (at == 0 || text[at - 1] != '.');
}

// Integers and floats that are not part of a word: 3, -1.5e-07, .25; float32 and conv2d stay.
std::string WithNumberSlots(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const bool sign = (text[i] == '-' || text[i] == '+') && (i == 0 || !IsWordByte(text[i - 1])) &&
                      i + 1 < text.size() && ((text[i + 1] >= '0' && text[i + 1] <= '9') || text[i + 1] == '.');
    const size_t first = sign ? i + 1 : i;
    const bool number = first < text.size() && (sign ? StartsNumber(text.substr(first), 0) : StartsNumber(text, i));
    if (!number) {
      out.push_back(text[i++]);
      continue;
    }
    size_t end = first;
    while (end < text.size()) {
      const char c = text[end];
      const bool exponent_sign = (c == '-' || c == '+') && end > first && (text[end - 1] == 'e' || text[end - 1] == 'E');
      const bool decimal = c == '.' && end + 1 < text.size() && text[end + 1] >= '0' && text[end + 1] <= '9';
      if (!((c >= '0' && c <= '9') || c == 'e' || c == 'E' || decimal || exponent_sign)) break;
      ++end;
    }
    if (end < text.size() && IsWordByte(text[end])) {  // 2d, 1st: a word that begins with a digit
      while (end < text.size() && IsWordByte(text[end])) ++end;
      out.append(text.substr(i, end - i));
    } else {
      out += "<n>";
    }
    i = end;
  }
  return out;
}

std::string Collapsed(std::string_view text) {
  static const Pattern shape = Pattern::Constant(R"(([\[(])\s*<n>(?:\s*,\s*<n>)*\s*,?\s*([\])]))");
  static const Pattern space = Pattern::Constant(R"(\s+)");
  std::string out = space.ReplaceAll(shape.ReplaceAll(text, R"(\1<n>\2)"), " ");
  const size_t begin = out.find_first_not_of(' ');
  if (begin == std::string::npos) return "";
  return out.substr(begin, out.find_last_not_of(' ') - begin + 1);
}

// Length of the slot that `text` begins with, 0 when it begins with none.
size_t SlotAt(std::string_view text) {
  for (const std::string_view slot : {"<n>", "<addr>", "<path>", "<device>"})
    if (text.starts_with(slot)) return slot.size();
  return 0;
}

std::map<std::string, int> Tokens(std::string_view text, size_t* words, size_t* total) {
  std::map<std::string, int> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (const size_t slot = SlotAt(text.substr(i)); slot > 0) {
      end = i + slot;
    } else if (IsWordByte(text[i])) {
      while (end < text.size() && IsWordByte(text[end])) ++end;
      ++*words;
    } else {  // punctuation and spaces differ by formatting only
      i = end;
      continue;
    }
    ++tokens[std::string(text.substr(i, end - i))];
    ++*total;
    i = end;
  }
  return tokens;
}

}  // namespace

Normaliser::Normaliser(std::vector<std::string> device_names)
    : device_names_(device_names.begin(), device_names.end()) {}

std::string Normaliser::WithDeviceSlots(std::string_view text) const {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (!IsWordByte(text[i])) {
      out.push_back(text[i++]);
      continue;
    }
    size_t end = i;
    while (end < text.size() && IsWordByte(text[end])) ++end;
    std::string word(text.substr(i, end - i));
    std::string lower = word;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (device_names_.contains(lower)) {
      word = "<device>";
      if (end + 1 < text.size() && text[end] == ':' && text[end + 1] >= '0' && text[end + 1] <= '9')
        for (++end; end < text.size() && text[end] >= '0' && text[end] <= '9';) ++end;
    }
    out += word;
    i = end;
  }
  return out;
}

std::string Normaliser::Apply(std::string_view message) const {
  message = message.substr(0, kMaxMessage);
  if (const auto appendix = Appendix().Find(message)) message = message.substr(0, appendix->offset);
  std::string text(message);
  for (const Slot& slot : Slots()) text = slot.pattern.ReplaceAll(text, slot.replacement);
  return Collapsed(WithNumberSlots(WithDeviceSlots(text)));
}

std::string_view FirstLine(std::string_view message) {
  const size_t begin = message.find_first_not_of("\r\n ");
  if (begin == std::string_view::npos) return {};
  message.remove_prefix(begin);
  return message.substr(0, message.find('\n'));
}

double Similarity(std::string_view normalised, std::string_view other) {
  size_t words = 0, other_words = 0, total = 0, other_total = 0;
  const auto tokens = Tokens(normalised, &words, &total);
  const auto other_tokens = Tokens(other, &other_words, &other_total);
  if (words == 0 || other_words == 0) return 0;
  int shared = 0;
  for (const auto& [token, count] : tokens)
    if (const auto found = other_tokens.find(token); found != other_tokens.end())
      shared += std::min(count, found->second);
  return 2.0 * shared / static_cast<double>(total + other_total);
}

}  // namespace xpu_align
