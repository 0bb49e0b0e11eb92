#include "framework/text/token_table.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr Attr kColumnOrder[] = {Attr::orth, Attr::norm, Attr::prefix, Attr::suffix, Attr::shape};
constexpr std::size_t kNormColumn = 1;

[[noreturn]] void fail_too_long() {
  throw Error(ErrorKind::data, "a document with 4 GiB of text or more");
}

// `to` has room for StringTable::kSlack bytes more.
void copy_word(const TokenWord& word, char* to) {
  if (word.padded && word.size <= StringTable::kSlack) {
    std::memcpy(to, word.text, StringTable::kSlack);  // two moves, whatever the length
  } else {
    std::memcpy(to, word.text, word.size);
  }
}

}  // namespace

std::span<const StringId> TokenTable::ids(Attr attr) const {
  for (std::size_t column = 0; column < kColumns; ++column) {
    if (kColumnOrder[column] == attr) {
      return std::span<const StringId>(ids_).subspan(column * size(), size());
    }
  }
  throw Error(ErrorKind::internal, "an attribute that tokens do not hold as a column: " +
                                       std::to_string(static_cast<unsigned>(attr)));
}

std::size_t TokenTable::char_size() const {
  return char_starts_.empty() ? text_.size() : char_size_;
}

std::size_t TokenTable::char_end(std::size_t i) const {
  if (char_starts_.empty()) return starts_[i] + word(i).size();
  const std::size_t end = i + 1 == size() ? char_size_ : char_starts_[i + 1];
  return end - (spaces_[i] ? 1 : 0);
}

int TokenTable::token_starting_at(std::size_t char_offset) const {
  const std::vector<std::uint32_t>& starts = char_starts_.empty() ? starts_ : char_starts_;
  const auto found = std::lower_bound(starts.begin(), starts.end(), char_offset);
  if (found == starts.end() || *found != char_offset) return -1;
  return static_cast<int>(found - starts.begin());
}

int TokenTable::token_ending_at(std::size_t char_offset) const {
  const std::vector<std::uint32_t>& starts = char_starts_.empty() ? starts_ : char_starts_;
  const auto after = std::lower_bound(starts.begin(), starts.end(), char_offset);
  if (after == starts.begin()) return -1;
  const auto token = static_cast<std::size_t>(after - starts.begin()) - 1;
  return char_end(token) == char_offset ? static_cast<int>(token) : -1;
}

std::shared_ptr<const TokenTable> TokenTable::slice(std::size_t start, std::size_t end) const {
  auto part = std::make_shared<TokenTable>();
  if (start >= end) return part;
  const std::size_t first_byte = starts_[start];
  const std::size_t last_byte = end < size() ? starts_[end] : text_.size();
  part->text_ = text_.substr(first_byte, last_byte - first_byte);
  part->spaces_.assign(spaces_.begin() + start, spaces_.begin() + end);
  part->flags_.assign(flags_.begin() + start, flags_.begin() + end);
  part->own_norms_ = own_norms_;
  const auto shifted = [&](const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
    for (std::size_t i = start; i < end; ++i) to.push_back(from[i] - from[start]);
  };
  shifted(starts_, part->starts_);
  if (!char_starts_.empty() && !is_ascii(part->text_)) {
    shifted(char_starts_, part->char_starts_);
    const std::size_t last_char = end < size() ? char_starts_[end] : char_size_;
    part->char_size_ = last_char - char_starts_[start];
  }
  part->ids_.reserve(kColumns * (end - start));
  for (std::size_t column = 0; column < kColumns; ++column) {
    const auto from = ids_.begin() + static_cast<std::ptrdiff_t>(column * size());
    part->ids_.insert(part->ids_.end(), from + start, from + end);
  }
  return part;
}

std::shared_ptr<const TokenTable> TokenTable::with_plain_norms(const Vocab& vocab) const {
  auto copy = std::make_shared<TokenTable>(*this);
  for (std::size_t i = 0; i < size(); ++i) {
    copy->ids_[kNormColumn * size() + i] = vocab.lexeme(word(i)).norm;
  }
  copy->own_norms_ = false;
  return copy;
}

// Fills the columns of a table from words that tokens share.
class TokenColumns {
 public:
  TokenColumns(std::span<const TokenWord> words, std::span<const std::uint32_t> tokens)
      : words_(words), tokens_(tokens) {
    const std::size_t size = tokens.size();
    table_->starts_.resize(size);
    table_->spaces_.resize(size);
    table_->flags_.resize(size);
    table_->ids_.resize(TokenTable::kColumns * size);
  }

  // As table_of_words takes them.
  void fill(std::span<const StringId> norms, std::string_view spaces) {
    const std::size_t size = tokens_.size();
    StringId* const ids = table_->ids_.data();
    bool own_norms = false;
    for (std::size_t i = 0; i < size; ++i) {
      const TokenWord& word = words_[tokens_[i]];
      const StringId norm = norms.empty() || norms[i] == 0 ? word.norm : norms[i];
      const bool space = spaces.empty() || spaces[i] != 0;
      own_norms = own_norms || word.own_norm || norm != word.norm;
      // One pass fills all columns; places are running sums of the words' sizes. Code points are
      // counted beside the bytes: equal sums mean that all of it is ASCII and one list of places
      // serves both.
      table_->starts_[i] = static_cast<std::uint32_t>(bytes_);
      table_->spaces_[i] = space;
      table_->flags_[i] = word.flags;
      ids[i] = word.orth;
      ids[size + i] = norm;
      ids[2 * size + i] = word.prefix;
      ids[3 * size + i] = word.suffix;
      ids[4 * size + i] = word.shape;
      bytes_ += word.size + (space ? 1 : 0);
      chars_ += word.length + (space ? 1 : 0);
      if (bytes_ > std::numeric_limits<std::uint32_t>::max()) fail_too_long();
    }
    table_->own_norms_ = own_norms;
    if (chars_ != bytes_) fill_char_starts();
  }

  void copy_text(std::string_view text) { table_->text_ = text; }

  // Words are copied with fixed-size moves where they allow it, which write beyond their end: the
  // next word overwrites that, and the text has room for the last one.
  void join_text() {
    std::string& text = table_->text_;
    text.resize(bytes_ + StringTable::kSlack);
    char* end = text.data();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const TokenWord& word = words_[tokens_[i]];
      copy_word(word, end);
      end += word.size;
      *end = ' ';
      end += table_->spaces_[i];
    }
    text.resize(bytes_);
  }

  std::shared_ptr<const TokenTable> finish() { return std::move(table_); }

 private:
  void fill_char_starts() {
    table_->char_starts_.resize(tokens_.size());
    std::uint32_t start = 0;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      table_->char_starts_[i] = start;
      start += words_[tokens_[i]].length + table_->spaces_[i];
    }
    table_->char_size_ = start;
  }

  std::span<const TokenWord> words_;
  std::span<const std::uint32_t> tokens_;
  std::shared_ptr<TokenTable> table_ = std::make_shared<TokenTable>();
  std::uint64_t bytes_ = 0, chars_ = 0;
};

std::shared_ptr<const TokenTable> table_of_words(std::span<const TokenWord> words,
                                                 std::span<const std::uint32_t> tokens,
                                                 std::span<const StringId> norms,
                                                 std::string_view spaces) {
  TokenColumns columns(words, tokens);
  columns.fill(norms, spaces);
  columns.join_text();
  return columns.finish();
}

std::shared_ptr<const TokenTable> table_of_text(std::string_view text,
                                                std::span<const TokenWord> words,
                                                std::span<const std::uint32_t> tokens,
                                                std::string_view spaces) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) fail_too_long();
  TokenColumns columns(words, tokens);
  columns.fill({}, spaces);
  columns.copy_text(text);
  return columns.finish();
}

void TokenTableBuilder::append(std::string_view word, const Lexeme& lexeme, bool space,
                               StringId norm) {
  if (word.size() >= std::numeric_limits<std::uint32_t>::max() - text_.size()) {
    fail_too_long();
  }
  tokens_.push_back({{lexeme.orth, norm, lexeme.prefix, lexeme.suffix, lexeme.shape},
                     static_cast<std::uint32_t>(text_.size()),
                     lexeme.length,
                     lexeme.flags,
                     space});
  own_norms_ = own_norms_ || norm != lexeme.norm;
  text_ += word;
  if (space) text_ += ' ';
}

void TokenTableBuilder::set_last_space(bool space) {
  Token& last = tokens_.back();
  if (last.space == space) return;
  last.space = space;
  if (space) {
    text_ += ' ';
  } else {
    text_.pop_back();
  }
}

std::shared_ptr<const TokenTable> TokenTableBuilder::finish() {
  auto table = std::make_shared<TokenTable>();
  const std::size_t size = tokens_.size();
  table->text_ = text_;
  table->own_norms_ = own_norms_;
  table->starts_.resize(size);
  table->spaces_.resize(size);
  table->flags_.resize(size);
  table->ids_.resize(TokenTable::kColumns * size);
  std::size_t chars = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Token& token = tokens_[i];
    table->starts_[i] = token.start;
    table->spaces_[i] = token.space;
    table->flags_[i] = token.flags;
    for (std::size_t column = 0; column < TokenTable::kColumns; ++column) {
      table->ids_[column * size + i] = token.ids[column];
    }
    chars += token.char_length + (token.space ? 1 : 0);
  }
  if (chars != text_.size()) {
    table->char_starts_.resize(size);
    std::uint32_t start = 0;
    for (std::size_t i = 0; i < size; ++i) {
      table->char_starts_[i] = start;
      start += tokens_[i].char_length + (tokens_[i].space ? 1 : 0);
    }
    table->char_size_ = start;
  }
  text_.clear();
  tokens_.clear();
  own_norms_ = false;
  return table;
}

}  // namespace weft
