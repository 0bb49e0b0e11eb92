// The tokens of one document as columns: what tokenization decides and what follows from it. Never
// changed once it is built, so that documents with the same tokens share it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/text/lexeme.h"
#include "framework/text/vocab.h"
#include "registry/base/export.h"

namespace weft {

struct TokenWord;

class WEFT_API TokenTable {
 public:
  std::size_t size() const { return starts_.size(); }
  // The words, each followed by a space where it has one.
  std::string_view text() const { return text_; }
  std::string_view word(std::size_t i) const {
    const std::size_t end = i + 1 < starts_.size() ? starts_[i + 1] : text_.size();
    return std::string_view(text_).substr(starts_[i], end - starts_[i] - (spaces_[i] ? 1 : 0));
  }
  bool space(std::size_t i) const { return spaces_[i] != 0; }
  std::span<const std::uint8_t> spaces() const { return spaces_; }
  LexemeFlags flags(std::size_t i) const { return flags_[i]; }

  // One id per token; Attr::orth, norm, prefix, suffix or shape. Another attribute is a mistake of
  // the caller: Error(internal).
  std::span<const StringId> ids(Attr attr) const;

  // Offsets into text(), in bytes and in code points.
  std::size_t byte_start(std::size_t i) const { return starts_[i]; }
  std::size_t char_start(std::size_t i) const {
    return char_starts_.empty() ? starts_[i] : char_starts_[i];
  }
  std::size_t char_end(std::size_t i) const;
  // The length of text() in code points.
  std::size_t char_size() const;
  // The number of a token that starts (ends) exactly there, or -1. By bisection.
  int token_starting_at(std::size_t char_offset) const;
  int token_ending_at(std::size_t char_offset) const;

  // Some norm is not the one that follows from the word.
  bool has_own_norms() const { return own_norms_; }

  // Tokens [start, end) as a table of their own.
  std::shared_ptr<const TokenTable> slice(std::size_t start, std::size_t end) const;
  // The same with the norms that follow from the words.
  std::shared_ptr<const TokenTable> with_plain_norms(const Vocab& vocab) const;

 private:
  friend class TokenTableBuilder;
  friend class TokenColumns;
  static constexpr std::size_t kColumns = 5;

  std::string text_;
  std::vector<std::uint32_t> starts_;       // bytes
  std::vector<std::uint32_t> char_starts_;  // empty where all is ASCII
  std::size_t char_size_ = 0;               // of the text; only with char_starts_
  std::vector<std::uint8_t> spaces_;
  std::vector<LexemeFlags> flags_;
  std::vector<StringId> ids_;  // kColumns columns of size() ids, one after the other
  bool own_norms_ = false;
};

// A word form as many tokens of a file share it.
struct TokenWord {
  StringId orth = 0, norm = 0, prefix = 0, suffix = 0, shape = 0;
  const char* text = nullptr;
  std::uint32_t size = 0;    // bytes
  std::uint32_t length = 0;  // code points
  LexemeFlags flags = 0;
  bool own_norm = false;  // `norm` is not the one that follows from the word
  bool padded = false;    // `text` is out of a StringTable: bytes behind it can be read
};

// `text` is what lexeme is of, and outlives the result.
inline TokenWord token_word(std::string_view text, const Lexeme& lexeme) {
  return {lexeme.orth,
          lexeme.norm,
          lexeme.prefix,
          lexeme.suffix,
          lexeme.shape,
          text.data(),
          static_cast<std::uint32_t>(text.size()),
          lexeme.length,
          lexeme.flags};
}

// The table of tokens that are all known: token i is `words[tokens[i]]`, with norms[i] where that
// is not 0 (`norms` may be empty), and followed by a space where spaces[i] is not 0 (`spaces`
// empty: everywhere). Throws Error(data) where the text passes 4 GiB.
WEFT_API std::shared_ptr<const TokenTable> table_of_words(std::span<const TokenWord> words,
                                                          std::span<const std::uint32_t> tokens,
                                                          std::span<const StringId> norms,
                                                          std::string_view spaces);

// The same where the text is at hand: the words, each followed by a space where it has one. They
// need no text of their own.
WEFT_API std::shared_ptr<const TokenTable> table_of_text(std::string_view text,
                                                         std::span<const TokenWord> words,
                                                         std::span<const std::uint32_t> tokens,
                                                         std::string_view spaces);

// Collects tokens and makes tables of them; its buffers are kept from one table to the next.
class WEFT_API TokenTableBuilder {
 public:
  std::size_t size() const { return tokens_.size(); }

  // `lexeme` is that of `word`. Throws Error(data) where the text passes 4 GiB.
  void append(std::string_view word, const Lexeme& lexeme, bool space) {
    append(word, lexeme, space, lexeme.norm);
  }
  // With a norm of its own, whose text has to be known elsewhere (vocab or string table of the
  // Doc).
  void append(std::string_view word, const Lexeme& lexeme, bool space, StringId norm);

  // Changes the last token's space. Not before the first token.
  void set_last_space(bool space);

  // The table of the tokens so far; the builder is empty afterwards.
  std::shared_ptr<const TokenTable> finish();

 private:
  struct Token {
    StringId ids[TokenTable::kColumns];
    std::uint32_t start;
    std::uint32_t char_length;
    LexemeFlags flags;
    bool space;
  };

  std::string text_;
  std::vector<Token> tokens_;
  bool own_norms_ = false;
};

}  // namespace weft
