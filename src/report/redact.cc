#include "report/redact.h"

#include <functional>
#include <vector>

#include "report/markdown.h"
#include "text/pattern.h"

namespace xpu_align {
namespace {

// What stands for a match; the match itself when it is no secret after all.
using Replacement = std::function<std::string(const PatternMatch&, std::string_view text)>;

struct Rule {
  std::string kind;  // singular noun for people
  Pattern pattern;
  Replacement replacement;
};

std::string Group(const PatternMatch& match, size_t index) { return std::string(match.groups[index]); }

// Keeps group 1, replaces the rest of the match.
Replacement After(std::string mark) {
  return [mark = std::move(mark)](const PatternMatch& match, std::string_view) { return Group(match, 1) + mark; };
}

// The line of `text` up to `offset`.
std::string_view LineBefore(std::string_view text, size_t offset) {
  const size_t newline = text.substr(0, offset).rfind('\n');
  const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return text.substr(begin, offset - begin);
}

// Four numbers are an address unless they read as a version: behind "==", "version", or in a package list.
std::string AddressUnlessVersion(const PatternMatch& match, std::string_view text) {
  static const Pattern version = Pattern::Constant(R"((?i)(version|driver|==|^\[(pip|conda)))");
  static const Pattern harmless = Pattern::Constant(R"(^(127\.|0\.0\.0\.0$|255\.))");
  const size_t begin = static_cast<size_t>(match.groups[2].data() - text.data());
  static const Pattern longer = Pattern::Constant(R"(^(\.[0-9]|-))");
  if (longer.FoundIn(text.substr(begin + match.groups[2].size())) || version.FoundIn(LineBefore(text, begin)) ||
      harmless.FoundIn(match.groups[2]))
    return Group(match, 0);
  return Group(match, 1) + "[address]";
}

// Hosts that everybody knows say nothing about the machine.
std::string HostUnlessPublic(const PatternMatch& match, std::string_view) {
  static const Pattern known = Pattern::Constant(
      R"((?i)^(.+\.)?(github\.com|githubusercontent\.com|pytorch\.org|python\.org|pypi\.org|pythonhosted\.org|)"
      R"(intel\.com|nvidia\.com|debian\.org|ubuntu\.com|anaconda\.org|anaconda\.com|readthedocs\.io|localhost|)"
      R"(127\.0\.0\.1|example\.(com|org))$)");
  return known.FoundIn(match.groups[2]) ? Group(match, 0) : Group(match, 1) + "[host]";
}

// self.local.value and threading.local() are Python, not machines.
std::string HostUnlessAttribute(const PatternMatch& match, std::string_view text) {
  static const Pattern python = Pattern::Constant(R"(^(\.[A-Za-z0-9_]|[(\[_]))");
  const size_t end = static_cast<size_t>(match.groups[2].data() - text.data()) + match.groups[2].size();
  if (python.FoundIn(text.substr(end)) || match.groups[2] == "threading.local") return Group(match, 0);
  return Group(match, 1) + "[host]";
}

const std::vector<Rule>& Rules() {
  // In this order: a credential inside a URL must go before its host is looked at.
  static const std::vector<Rule>* rules = [] {
    auto* list = new std::vector<Rule>;
    const auto add = [list](std::string kind, std::string_view expression, Replacement replacement) {
      list->push_back({std::move(kind), Pattern::Constant(expression), std::move(replacement)});
    };
    add("credential", R"(([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/@'"]+@)", After("[credential]@"));
    add("credential", R"(()(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|hf_[A-Za-z0-9]{20,}))",
        After("[credential]"));
    add("credential", R"((?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,})", After("[credential]"));
    add("credential",
        R"((?i)((?:token|passw(?:or)?d|secret|api_?key|access_?key|sig)["']?\s*[=:]\s*["']?)[^\s"'&,;\[]{4,})",
        After("[credential]"));
    add("e-mail address", R"(()[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)", After("[e-mail]"));
    add("home path", R"(((?:/home/|/Users/|[A-Za-z]:\\Users\\))[^\s/\\:'",;)\]\[]+)", After("[user]"));
    add("home path", R"((^|[\s'"=:(,])/root\b)", After("/[user]"));
    add("host name", R"((?im)^(\s*(?:hostname|host name|nodename|host)\s*[:=]\s*)[^\s\[]+)", After("[host]"));
    add("host name", R"((\bhttps?://(?:\[credential\]@)?)([A-Za-z0-9.-]+))", HostUnlessPublic);
    add("host name",
        R"((^|[^A-Za-z0-9._/-])([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.(?:local|lan|corp|internal|intranet|intra)\b))",
        HostUnlessAttribute);
    add("network address", R"((^|[^0-9A-Za-z._-])((?:[0-9]{1,3}\.){3}[0-9]{1,3})\b)", AddressUnlessVersion);
    add("network address", R"((?i)(^|[^0-9a-z:])(?:fe80|f[cd][0-9a-f]{2}|2[0-9a-f]{3})(?::[0-9a-f]{0,4}){3,7}\b)",
        After("[address]"));
    add("network address", R"((?i)(^|[^0-9a-z:])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b)", After("[address]"));
    return list;
  }();
  return *rules;
}

}  // namespace

UntrustedText Redactor::Redact(const UntrustedText& text) {
  std::string current(text.ForMatching());
  for (const Rule& rule : Rules()) {
    std::string out;
    size_t from = 0;
    for (auto match = rule.pattern.Find(current); match; match = rule.pattern.Find(current, from)) {
      const std::string replaced = rule.replacement(*match, current);
      if (replaced != match->groups[0]) ++counts_[rule.kind];
      out.append(current, from, match->offset - from).append(replaced);
      from = match->offset + match->groups[0].size();
    }
    current = out.append(current, from);
  }
  return UntrustedText(std::move(current));
}

std::string Redactor::Summary() const {
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts_)
    parts.push_back(count > 1 && kind.ends_with("s") ? Counted(count, kind + "e") : Counted(count, kind));
  return Joined(parts);
}

}  // namespace xpu_align
