// Makes documents out of the arrays of a `.spacy` file.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/text/doc_bin_contents.h"
#include "framework/text/token_table.h"

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

  std::uint32_t index_of(StringId orth);
  std::uint32_t add_word(StringId orth);
  void forget_words();
  void read_rows(std::size_t length);
  bool has_column(Attr attr) const;
  // One value per token; empty where the file has no such column or only zeros in it.
  std::vector<StringId> column(Attr attr) const;
  std::shared_ptr<const TokenTable> read_tokens(std::size_t length, bool unknown_spaces);
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
  std::vector<TokenWord> words_;
  std::vector<Place> places_;  // a power of two, at most half of it taken
  std::unordered_set<StringId> known_names_;

  // Of the document at hand.
  const char* rows_ = nullptr;         // as the file has them
  std::vector<StringId> any_;          // per column: all values or-ed
  std::vector<std::uint32_t> tokens_;  // in `words_`
  std::size_t length_ = 0;
  bool own_strings_ = false;  // it needs strings that only the file has
};

}  // namespace weft
