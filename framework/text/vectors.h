// Word vectors: a table of numbers in which every word has a row of its own ("default"), or the
// mean of the rows that its character n-grams are hashed to ("floret").
// Sources: spaCy 3.8, `spacy.vectors`; Bojanowski and others (2017); Boyd and Warmerdam (2022).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/tensor/tensor.h"
#include "framework/text/symbols.h"
#include "registry/base/export.h"

namespace weft {

struct FloretSettings {
  std::uint32_t min_ngram = 0;  // in characters
  std::uint32_t max_ngram = 0;
  std::uint32_t hash_count = 1;  // rows for each n-gram, 1 to 4
  std::uint32_t hash_seed = 0;
  std::string begin = "<";  // put before and behind a word
  std::string end = ">";
};

// Never changed once it is made; all functions may be called by several threads at once.
class WEFT_API Vectors {
 public:
  enum class Mode { by_key, floret };
  using KeyRow = std::pair<StringId, std::int32_t>;

  Vectors() = default;  // no rows
  // `table`: f32 (rows, width) on the host. Several keys may share a row, and a row may have none.
  // `attr`: the attribute of a token that is its key. Throws Error(data) for a key whose row is not
  // in the table.
  Vectors(Tensor table, std::vector<KeyRow> keys, Attr attr = Attr::orth);
  // Throws Error(data) for settings that no table can have.
  Vectors(Tensor table, FloretSettings settings, Attr attr = Attr::orth);

  Mode mode() const { return mode_; }
  Attr attr() const { return attr_; }
  std::int64_t rows() const { return table_.shape().rank() == 0 ? 0 : table_.dim(0); }
  std::int64_t width() const { return table_.shape().rank() == 0 ? 0 : table_.dim(1); }
  const Tensor& table() const { return table_; }
  const FloretSettings& floret() const { return floret_; }

  // Mode::by_key: in the order they were given, and the row of a key, -1 if it has none.
  const std::vector<KeyRow>& keys() const { return keys_; }
  std::int32_t row_of(StringId key) const;

  // Mode::floret: appends the rows whose mean is the vector of `word` (UTF-8, not empty). Throws
  // Error(data) for a word with too many n-grams (docs/limits.md).
  void append_rows(std::string_view word, std::vector<std::int32_t>& rows) const;

 private:
  void index_keys();
  StringId key_in(std::size_t slot) const {
    return keys_[static_cast<std::size_t>(slots_[slot])].first;
  }
  void check_ngrams(std::size_t starts, std::size_t longest) const;
  void append_hashed(std::string_view ngram, std::vector<std::int32_t>& rows) const;

  Mode mode_ = Mode::by_key;
  Attr attr_ = Attr::orth;
  Tensor table_;
  FloretSettings floret_;
  std::vector<KeyRow> keys_;
  std::vector<std::int32_t> slots_;  // places in keys_, -1 = free; open addressing, a power of two
};

}  // namespace weft
