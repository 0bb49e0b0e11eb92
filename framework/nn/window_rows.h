// Which rows a stack of window layers has to compute. Documents stand in one array with padding
// before, between and behind them (with_array); each layer sees `window` rows on either side. The
// output of the last layer depends on fewer and fewer padding rows from layer to layer: the others
// are left out. Source: docs/ner-model.md, section 1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/tensor/view.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API WindowRows {
 public:
  // Level 0 is the input, which has the rows of the documents alone; padding is zeros. Level
  // `depth` has the rows of the documents again. `pad` >= window * depth.
  WindowRows(std::span<const std::int64_t> lengths, int window, int depth, std::int64_t pad);

  // Rows of a level, and of the array with all padding.
  std::int64_t rows(int level) const { return static_cast<std::int64_t>(places(level).size()); }
  std::int64_t padded_rows() const { return padded_rows_; }

  // For levels from 1 on. The rows of the level before that each row sees, (rows, 2 window + 1),
  // i32; -1 where they are zeros. Its middle column is the row's own.
  ConstView seen(int level) const;
  // The same from the other side: the rows of the level that see each row of the level before,
  // (rows before, 2 window + 1); that in column c sees it in its column c, -1 where none does.
  std::vector<std::int32_t> seen_by(int level) const;
  // Where each row stands in the padded array, (rows), i32.
  ConstView place(int level) const;

 private:
  const std::vector<std::int32_t>& places(int level) const {
    return places_[static_cast<std::size_t>(level)];
  }
  void add_level(std::span<const std::int64_t> lengths, std::int64_t reach, std::int64_t pad);
  void add_seen(int level);

  int window_;
  std::int64_t padded_rows_ = 0;
  std::vector<std::vector<std::int32_t>> places_, seen_;  // of each level; nothing is seen by 0
};

}  // namespace weft
