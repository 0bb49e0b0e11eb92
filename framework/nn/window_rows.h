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
  // Which tables there are: `both_sides` those of `seen_by` too.
  enum class Sides : std::uint8_t { one_side, both_sides };

  // Level 0 is the input, which has the rows of the documents alone; padding is zeros. Level
  // `depth` has the rows of the documents again. `pad` >= window * depth.
  WindowRows(std::span<const std::int64_t> lengths, int window, int depth, std::int64_t pad,
             Sides sides = Sides::one_side);

  // The numbers of all tables, and their memory, which is written once and outlives the tables.
  std::int64_t size() const { return size_; }
  void fill(std::int32_t* numbers);

  // Rows of a level, and of the array with all padding.
  std::int64_t rows(int level) const { return at(level).rows; }
  std::int64_t padded_rows() const { return padded_rows_; }

  // ---- the tables, once they are filled
  // Where each row stands in the padded array, (rows), i32.
  ConstView place(int level) const { return table(at(level).place, {rows(level)}); }
  // For levels from 1 on. The rows of the level before that each row sees, (rows, 2 window + 1),
  // i32; -1 where they are zeros. Its middle column is the row's own.
  ConstView seen(int level) const { return table(at(level).seen, {rows(level), columns_}); }
  // The same from the other side: the rows of the level that see each row of the level before,
  // (rows before, 2 window + 1); that in column c sees it in its column c, -1 where none does.
  ConstView seen_by(int level) const {
    return table(at(level).seen_by, {rows(level - 1), columns_});
  }

 private:
  // Rows of a level that follow each other in the padded array.
  struct Run {
    std::int32_t place, row, count;
  };
  using Runs = std::vector<Run>;
  // Its rows, and where the tables begin.
  struct Level {
    Runs runs;
    std::int64_t rows = 0, place = 0, seen = 0, seen_by = 0;
  };

  static Runs runs_of(std::span<const std::int64_t> lengths, std::int64_t reach, std::int64_t pad);
  static std::int64_t rows_of(const Runs& runs);
  const Level& at(int level) const { return levels_[static_cast<std::size_t>(level)]; }
  ConstView table(std::int64_t begin, Shape shape) const {
    return {numbers_ + begin, DType::i32, shape};
  }
  std::int64_t take(std::int64_t numbers);
  static void fill_places(const Runs& runs, std::int32_t* to);
  void fill_neighbours(const Runs& from, const Runs& to, int direction, std::int32_t* table) const;

  std::int64_t columns_, padded_rows_;
  Sides sides_;
  std::vector<Level> levels_;
  std::int64_t size_ = 0;
  std::int32_t* numbers_ = nullptr;
};

}  // namespace weft
