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
  Decoder(Contents& contents, std::shared_ptr<const Vocab> vocab, std::string path)
      : contents_(contents), vocab_(std::move(vocab)), path_(std::move(path)) {}

  // The next document, whose number is for the messages of the caller.
  Doc decode(std::size_t number);

 private:
  struct Word {
    StringId orth = 0;
    std::string_view text;
    Lexeme lexeme;
  };
  static constexpr std::size_t kWords = 16384;  // cached, direct-mapped

  const Word& word(StringId orth);
  void read_rows(std::size_t length);
  bool has_column(Attr attr) const;
  // One value per token; empty where the file has no such column or only zeros in it.
  std::span<const StringId> column(Attr attr) const;
  std::vector<StringId> column_copy(Attr attr) const;
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
  std::vector<Word> words_ = std::vector<Word>(kWords);
  std::unordered_set<StringId> known_names_;
  TokenTableBuilder builder_;

  // Of the document at hand.
  std::vector<StringId> columns_;  // one after the other, in the order of the file
  std::vector<StringId> any_;      // per column: all values or-ed
  std::size_t length_ = 0;
  bool own_strings_ = false;  // it needs strings that only the file has
};

}  // namespace weft
