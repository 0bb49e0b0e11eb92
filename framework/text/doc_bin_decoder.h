// Makes documents out of the arrays of a `.spacy` file.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "framework/text/doc_bin_contents.h"
#include "framework/text/token_table.h"
#include "registry/base/seeded_hash.h"

namespace weft {

class DocBinReader::Decoder {
 public:
  Decoder(Contents& contents, std::shared_ptr<const Vocab> vocab, std::string path);

  // The next document, whose number is for the messages of the caller.
  Doc decode(std::size_t number);

 private:
  // Where the word forms of a file stand in `words_`, by their ids; open addressing.
  struct Place {
    StringId orth = 0;  // 0 = free
    std::uint32_t index = 0;
  };
  // From so many on, the word forms are forgotten before the next document.
  static constexpr std::size_t kWords = std::size_t{1} << 16;

  TokenWord word_of(StringId orth) const;
  std::uint32_t index_of(StringId orth);
  std::uint32_t add_word(StringId orth);
  void forget_words();
  void charge_tokens(std::size_t length);
  void charge_text(std::span<const TokenWord> words, std::span<const std::uint32_t> tokens);
  // Makes the next rows those of the document at hand. They are at hand already where
  // `contents_.rows` is, else they come from the cursor.
  void next_rows(std::size_t length);
  void read_rows();
  // The number of a column; nothing where the file has none such.
  std::optional<std::size_t> column_number(Attr attr) const;
  // One value per token; empty where the file has no such column or only zeros in it.
  std::vector<StringId> column(Attr attr) const;
  std::shared_ptr<const TokenTable> read_tokens(std::size_t length, bool unknown_spaces);
  std::shared_ptr<const TokenTable> table_of_rows(std::string_view spaces);
  std::shared_ptr<const TokenTable> table_of_columns(std::string_view spaces);
  TokenWord word_of_row(std::uint32_t number) const;
  bool read_flags();
  void read_columns(Doc& doc);
  void read_sents(Doc& doc);
  void read_ents(Doc& doc);
  void read_extras(Doc& doc);
  void read_user_data(Doc& doc, std::size_t number);
  void learn_names(std::span<const StringId> ids);
  [[noreturn]] void fail(const std::string& message) const;

  Contents& contents_;
  std::shared_ptr<const Vocab> vocab_;
  std::string path_;
  std::uint64_t held_;  // of the budget, whatever the document
  std::vector<TokenWord> words_;
  std::vector<Place> places_;  // a power of two, at most half of it taken
  std::unordered_set<StringId, SeededHash> known_names_;
  std::vector<TokenWord> row_words_;  // by their numbers in `contents_.rows`; no orth: not made yet

  // Of the document at hand.
  std::size_t first_ = 0;              // token, of all in the file
  const char* rows_ = nullptr;         // as the file has them; where they are read from the cursor
  std::vector<bool> present_;          // per column: some value is not zero
  std::vector<std::uint32_t> tokens_;  // in `words_`
  std::size_t length_ = 0;
  bool own_strings_ = false;  // it needs strings that only the file has
};

}  // namespace weft
