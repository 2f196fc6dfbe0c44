#include "compose/markdown_blocks.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <memory>

namespace xpu_align {
namespace {

struct NodeDeleter {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
struct IteratorDeleter {
  void operator()(cmark_iter* iterator) const { cmark_iter_free(iterator); }
};

std::string PlainText(cmark_node* block) {
  std::string out;
  const std::unique_ptr<cmark_iter, IteratorDeleter> iterator(cmark_iter_new(block));
  while (cmark_iter_next(iterator.get()) != CMARK_EVENT_DONE) {
    cmark_node* node = cmark_iter_get_node(iterator.get());
    if (const char* literal = cmark_node_get_literal(node)) out += literal;
    if (cmark_node_get_type(node) == CMARK_NODE_SOFTBREAK) out += ' ';
  }
  return out;
}

std::string FirstWord(std::string_view info) {
  const size_t begin = std::min(info.find_first_not_of(" \t{."), info.size());
  info.remove_prefix(begin);
  std::string word(info.substr(0, info.find_first_of(" \t,{}:")));
  std::ranges::transform(word, word.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return word;
}

}  // namespace

std::string WithUnixLines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      out += text[i];
    else if (i + 1 >= text.size() || text[i + 1] != '\n')
      out += ' ';  // a lone CR would be a line for some readers and none for others
  }
  return out;
}

std::vector<MarkdownBlock> MarkdownBlocksOf(const std::string& text) {
  std::vector<MarkdownBlock> blocks;
  const std::unique_ptr<cmark_node, NodeDeleter> document(
      cmark_parse_document(text.data(), text.size(), CMARK_OPT_DEFAULT));
  const std::unique_ptr<cmark_iter, IteratorDeleter> iterator(cmark_iter_new(document.get()));
  std::string heading, lead;
  while (true) {
    const cmark_event_type event = cmark_iter_next(iterator.get());
    if (event == CMARK_EVENT_DONE) break;
    if (event != CMARK_EVENT_ENTER) continue;
    cmark_node* node = cmark_iter_get_node(iterator.get());
    const cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_HEADING) {
      heading = PlainText(node);
      lead.clear();
    } else if (type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HTML_BLOCK) {
      lead = PlainText(node);
    } else if (type == CMARK_NODE_CODE_BLOCK) {
      MarkdownBlock block{.heading = heading, .lead = lead};
      lead.clear();
      block.code = cmark_node_get_literal(node);
      int length = 0, offset = 0;
      char character = 0;
      const bool fenced = cmark_node_get_fenced(node, &length, &offset, &character) != 0;
      if (const char* info = cmark_node_get_fence_info(node)) block.language = FirstWord(info);
      block.first_line = cmark_node_get_start_line(node) + (fenced ? 1 : 0);
      block.last_line = block.first_line + static_cast<int>(std::ranges::count(block.code, '\n')) - 1;
      if (block.last_line >= block.first_line) blocks.push_back(std::move(block));
    }
  }
  return blocks;
}

}  // namespace xpu_align
