// The token attributes of a `.spacy` file in little space: of each token the number of its word
// (with norm and lemma) and the number of all its other values together, which few tokens have to
// themselves. That is 6 bytes for 104, so that a file of common size is inflated only once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/text/row_table.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API TokenRows {
 public:
  // Bounds of what is held, some 40 MB in all.
  static constexpr std::size_t kTokens = std::size_t{4} << 20;
  static constexpr std::size_t kOtherRows = std::size_t{1} << 16;
  static constexpr std::size_t kRowBytes = std::size_t{8} << 20;  // of different rows
  static constexpr std::size_t kWidest = 64;                      // columns

  // Whether there can be a table of these columns: 1 to kWidest, none twice.
  static bool can_hold(std::span<const std::uint32_t> attrs);
  explicit TokenRows(std::span<const std::uint32_t> attrs);

  // Room for so many tokens, at most kTokens.
  void reserve(std::size_t tokens);
  // Takes the rows of further tokens over: 8 bytes for each column, as the file has them. False
  // where they pass the bounds; the object is of no use then.
  bool add(std::string_view bytes);

  std::size_t width() const { return places_.size(); }  // columns
  std::size_t size() const { return words_.size(); }    // tokens

  // The words of all tokens, by their numbers, and how many different ones there are.
  std::span<const std::uint32_t> words() const { return words_; }
  std::size_t word_count() const { return word_rows_.rows(); }
  // The value of a column that belongs to the word: orth, norm or lemma.
  StringId word_value(std::uint32_t word, std::size_t column) const {
    return word_rows_.row(word)[places_[column].at];
  }

  // The values of one column for tokens [begin, begin + out.size()).
  void copy_column(std::size_t column, std::size_t begin, std::span<StringId> out) const;
  // A bit for each column where one of these tokens has a value other than zero.
  std::uint64_t columns_with_values(std::size_t begin, std::size_t count) const;

 private:
  struct ColumnPlace {
    bool of_word;
    std::uint32_t at;  // in the rows of its kind
  };
  static constexpr std::size_t kAtOnce = 32;  // rows
  static constexpr std::size_t kWordColumns = 3;
  void add_words(std::string_view bytes);
  void add_others(std::string_view bytes);
  bool is_last_other(const char* row) const;
  void note_values(const RowTable& rows, bool of_word, std::vector<std::uint64_t>& masks) const;

  std::vector<ColumnPlace> places_;  // by column
  RowTable word_rows_, other_rows_;
  std::vector<std::uint64_t> word_masks_, other_masks_;  // columns with values, by row
  std::vector<std::uint32_t> words_;                     // by token
  std::vector<std::uint16_t> others_;
  std::vector<std::size_t> word_offsets_, other_offsets_;  // of their columns, in the file's rows
  bool together_ = false;                                  // the other columns stand side by side
  std::vector<StringId> last_other_;
  std::uint16_t last_number_ = 0;
};

}  // namespace weft
