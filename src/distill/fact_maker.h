// FactMaker: turns what an extractor saw at bytes [begin, end) of a file into a fact with its citation, when its kind
// is asked for and its lines lie in the window. Used by the extractors only.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "distill/extract.h"

namespace xpu_align::distill {

struct Seen {
  FactKind kind = FactKind::kReg;
  std::string subject;
  std::string detail;  // rest of the key: what tells it from others of the subject, without its value
  Json value = Json::EmptyObject();
  std::string_view rule;
  Confidence confidence = Confidence::kLiteral;
};

class FactMaker {
 public:
  FactMaker(const FileToRead& file, const std::vector<FactKind>& kinds, std::vector<Fact>* out)
      : file_(file), kinds_(kinds), out_(out) {}

  bool Wants(FactKind kind) const;
  void Add(Seen seen, size_t begin, size_t end);
  // A derived fact: the second citation holds what the first does not state.
  void Add(Seen seen, size_t begin, size_t end, size_t second_begin, size_t second_end);

  const SourceText& Source() const { return file_.source; }
  std::string_view Text() const { return file_.source.Text(); }
  const std::string& Path() const { return file_.path; }

 private:
  Citation Cite(size_t begin, size_t end) const;

  const FileToRead& file_;
  const std::vector<FactKind>& kinds_;
  std::vector<Fact>* out_;
};

// A message put together from pieces: {} for each computed part, one for several in a row.
class MessageText {
 public:
  void Literal(std::string_view text) {
    text_ += text;
    has_literal_ = has_literal_ || !text.empty();
  }
  void Computed() {
    partial_ = true;
    if (!text_.ends_with("{}")) text_ += "{}";
  }
  const std::string& Text() const { return text_; }
  bool HasLiteral() const { return has_literal_; }
  Confidence Kind() const { return partial_ ? Confidence::kPartial : Confidence::kLiteral; }

 private:
  std::string text_;
  bool has_literal_ = false, partial_ = false;
};

// Members of a fact's value that do not stand in the quoted lines but around them, or are words of ours.
bool IsContextMember(std::string_view name);

}  // namespace xpu_align::distill
