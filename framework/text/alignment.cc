#include "framework/text/alignment.h"

#include <algorithm>
#include <string>

#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Lower case, character by character of the text rather than of the word: whether a sigma is final
// depends on the tokenization, so both forms count as one.
std::string folded(std::string_view word) {
  std::string text = lower(word);
  for (std::size_t at = text.find("ς"); at != text.npos; at = text.find("ς", at)) {
    text.replace(at, 2, "σ");
  }
  return text;
}

// A place in the characters of a table.
class Cursor {
 public:
  explicit Cursor(const TokenTable& table) : table_(table) {}

  bool at_end() const { return token_ == table_.size(); }
  bool at_start_of_token() const { return offset_ == 0; }
  int token() const { return static_cast<int>(token_); }
  std::string_view word() const { return table_.word(token_); }

  char32_t character() {
    if (offset_ == 0) text_ = folded(word());
    std::size_t pos = offset_;
    return next_code_point(text_, pos);
  }
  // Only after `character`.
  void next_character() {
    next_code_point(text_, offset_);
    if (offset_ == text_.size()) next_token();
  }
  void next_token() {
    ++token_;
    offset_ = 0;
  }

 private:
  const TokenTable& table_;
  std::size_t token_ = 0;
  std::size_t offset_ = 0;
  std::string text_;  // of the current token, once a character was asked for
};

[[noreturn]] void fail(const Cursor& a, const Cursor& b) {
  const auto place = [](const Cursor& cursor) {
    if (cursor.at_end()) return std::string("the end");
    return "token " + std::to_string(cursor.token()) + " (\"" + std::string(cursor.word()) + "\")";
  };
  throw Error(ErrorKind::data, "two tokenizations are not of the same text: they differ at " +
                                   place(a) + " and " + place(b));
}

using Links = std::vector<std::pair<int, int>>;

void link(Links& links, const Cursor& a, const Cursor& b) {
  const std::pair<int, int> pair(a.token(), b.token());
  if (links.empty() || links.back() != pair) links.push_back(pair);
}

// Walks the characters of both tokenizations side by side; a token of the one is linked with every
// token of the other that it shares a character with. Words that are equal and begin together are
// taken whole. Each turn moves at least one side on, so the time is linear in the text. Space that
// both sides have links tokens too; space of one side alone is passed over.
Links linked(const TokenTable& predicted, const TokenTable& reference) {
  Links links;
  Cursor a(predicted);
  Cursor b(reference);
  while (!a.at_end() && !b.at_end()) {
    if (a.at_start_of_token() && b.at_start_of_token() && a.word() == b.word()) {
      link(links, a, b);
      a.next_token();
      b.next_token();
      continue;
    }
    const char32_t in_a = a.character();
    const char32_t in_b = b.character();
    if (in_a == in_b) {
      link(links, a, b);
      a.next_character();
      b.next_character();
    } else if (is_space(in_a)) {
      a.next_character();
    } else if (is_space(in_b)) {
      b.next_character();
    } else {
      fail(a, b);
    }
  }
  for (Cursor* rest : {&a, &b}) {
    for (; !rest->at_end(); rest->next_character()) {
      if (!is_space(rest->character())) fail(a, b);
    }
  }
  return links;
}

bool same_words(const TokenTable& a, const TokenTable& b) {
  if (&a == &b) return true;
  return std::ranges::equal(a.ids(Attr::orth), b.ids(Attr::orth));
}

}  // namespace

// Most examples have the same tokens on both sides: those get rows without a walk.
Alignment::Alignment(const TokenTable& predicted, const TokenTable& reference)
    : identity_(same_words(predicted, reference)) {
  if (identity_) {
    to_reference_ = identity_rows(predicted.size());
    to_predicted_ = to_reference_;
    return;
  }
  const Links links = linked(predicted, reference);
  to_reference_ = rows_of(links, predicted.size(), false);
  to_predicted_ = rows_of(links, reference.size(), true);
}

Alignment::Rows Alignment::identity_rows(std::size_t size) {
  Rows rows;
  rows.offsets.resize(size + 1);
  rows.data.resize(size);
  for (std::size_t i = 0; i <= size; ++i) {
    rows.offsets[i] = static_cast<int>(i);
    if (i < size) rows.data[i] = static_cast<int>(i);
  }
  return rows;
}

// The links ascend on both sides, so either side's rows are found by counting.
Alignment::Rows Alignment::rows_of(const std::vector<std::pair<int, int>>& links, std::size_t size,
                                   bool swapped) {
  Rows rows;
  rows.offsets.assign(size + 1, 0);
  rows.data.reserve(links.size());
  for (const auto& [predicted, reference] : links) {
    ++rows.offsets[(swapped ? reference : predicted) + 1];
    rows.data.push_back(swapped ? predicted : reference);
  }
  for (std::size_t i = 0; i < size; ++i) rows.offsets[i + 1] += rows.offsets[i];
  return rows;
}

}  // namespace weft
