// The backward pass through maxout of three pieces or more, on the vector unit. Of the gradient of
// a group's outputs one number is not zero, so a row of dx is the sum of as many rows of the
// weights as there are groups, chosen by the winners, and a row of d_w the sum of the rows of x
// where its output won. That a number of dx costs a load where blocks of dense GEMMs share one is
// made up for by doing a third of the operations; of d_w two share one. Nothing of the weights is
// packed. Factors of bf16 are taken two at a time, by dot products.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/chosen_pairs.h"
#include "framework/backends/cpu/gemm/layer_gemms.h"
#include "framework/backends/cpu/gemm/won_pairs.h"
#include "framework/precision/element_type.h"

namespace weft::cpu {

namespace {

constexpr std::int64_t kFewestPieces = 3;
// Bytes of the rows of the weights that stay in the first cache, kMostSumColumns of each.
constexpr std::int64_t kBytesInCache = 96 * kMostSumColumns * sizeof(float);
// Numbers of a line of the cache; rows begin at lines.
constexpr std::int64_t kOfLine = 16;
// Parts of the outputs, so that several threads find something to do in few columns.
constexpr std::int64_t kMostPartsOfOutputs = 2;

// Offsets are 32 bits: `can_choose` admits weights whose last offset fits.
// Where d (rows, groups) goes to in the weights: to the rows of winners.
WEFT_CPU_CLONES void find_weights(const LayerFactors& f, const std::uint8_t* __restrict winners,
                                  std::int64_t rows, const float* __restrict d,
                                  RowTerm* __restrict terms) {
  const auto groups = static_cast<std::int32_t>(f.groups());
  const auto row = static_cast<std::int32_t>(f.x.length());
  const auto group = row * static_cast<std::int32_t>(f.pieces);
  for (std::int64_t i = 0; i < rows; ++i, winners += groups, d += groups, terms += groups) {
    for (std::int32_t j = 0; j < groups; ++j) {
      terms[j] = row_term(d[j], j * group + winners[j] * row);
    }
  }
}

void sum_rows(const VectorUnit& unit, const RowSums& sums) {
  unit.sum_rows(sums);
}
void sum_rows(const VectorUnit&, const PairSums& sums) {
  sum_pairs(sums);
}

void sum_won(const VectorUnit& unit, const WonRows& sums) {
  unit.sum_won(sums);
}
void sum_won(const VectorUnit&, const WonPairs& sums) {
  sum_won_pairs(sums);
}

// The weights as numbers of f32, or as bits of bf16, which are cast to where they lie nowhere: once
// for all passes that share them, by the name of the panels that a dense pass would pack.
template <class Number>
class TableOfWeights {
 public:
  TableOfWeights(const LayerFactors& f, const WorkSharing& sharing) {
    constexpr DType kType = std::is_same_v<Number, float> ? DType::f32 : DType::bf16;
    if (f.w_type != kType) cast_ = cast_weights(f, kType, backward_weights(f), sharing);
    rows_ = static_cast<const Number*>(f.w_type == kType ? f.w : cast_.data);
  }
  const Number* rows() const { return rows_; }

 private:
  const Number* rows_;
  PackedFactor cast_;
};

template <class Number>
GatheredFactor inputs_as_depth(const WideRows& x, std::int64_t first, std::int64_t count) {
  return std::is_same_v<Number, float> ? rows_as_depth(x, first, count)
                                       : low_rows_as_depth(x, first, count);
}

template <class Number>
class SparseBackward final : public BackwardGemms {
  // Columns of the shortest sums.
  static constexpr std::int64_t kStep = std::is_same_v<Number, float> ? kOfLine : kPairColumns;

 public:
  SparseBackward(const VectorUnit& unit, const LayerFactors& factors, const WorkSharing& sharing)
      : unit_(unit), f_(factors), inputs_(f_.x.length()), weights_(factors, sharing) {}

  // Blocks are halves of the chunk: all of a block's rows pass what the first cache holds of the
  // weights, and blocks run on any threads. The gradient of the weights takes up the whole chunk at
  // once if its blocks have a word of bits each, or else block by block.
  void begin_chunk(std::int64_t first, std::int64_t count) override {
    first_ = first;
    count_ = count;
    block_rows_ = ((count + 1) / 2 + kOfLine - 1) / kOfLine * kOfLine;
    rows_of_sum_ = block_rows_ <= kRowsOfWord ? count : block_rows_;
    const std::int64_t outputs = (count + rows_of_sum_ - 1) / rows_of_sum_ * f_.outputs;
    won_ = {};  // first, so that both are not held at the same time
    won_ = ScratchArray<RowBits>(ScratchUse::gradients, outputs);
    std::fill_n(static_cast<RowBits*>(won_), outputs, RowBits{});
    turned_ = {};
    turned_ = ScratchArray<float>(ScratchUse::sums, f_.groups() * count);
    x_ = {};
    x_ = inputs_as_depth<Number>(f_.x, first, count);
  }

  std::int64_t block_rows() const override { return block_rows_; }

  void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) override {
    const std::int64_t groups = f_.groups();
    const ScratchArray<RowTerm> terms(ScratchUse::left, count * groups);
    find_weights(f_, f_.winners + first * groups, count, d, terms);
    const std::int64_t row = first - first_;
    unit_.turn_winners({.d = d,
                        .winners = f_.winners + first * groups,
                        .rows = count,
                        .groups = groups,
                        .pieces = f_.pieces,
                        .turned = turned_ + row,
                        .turned_stride = count_,
                        .won = won_of(row),
                        .word = row % rows_of_sum_ / block_rows_});
    constexpr std::int64_t kBytesOfRow = kMostSumColumns * sizeof(Number);
    // Groups whose rows of weights, all pieces of them, stay in the first cache while every row of
    // the block passes. An even number: pairs of terms are not torn at the border.
    const std::int64_t at_once =
        std::max<std::int64_t>(1, kBytesInCache / kBytesOfRow / f_.pieces / 2 * 2);
    for (std::int64_t j = 0; j < inputs_; j += kMostSumColumns) {
      for (std::int64_t group = 0; group < groups; group += at_once) {
        sum_rows(unit_, TermSums<Number>{.terms = terms + group,
                                         .list_stride = groups,
                                         .count = std::min(at_once, groups - group),
                                         .lists = count,
                                         .table = weights_.rows() + j,
                                         .sums = dx + j,
                                         .sums_stride = inputs_,
                                         .columns = std::min(kMostSumColumns, inputs_ - j),
                                         .is_uninitialised = group == 0});
      }
    }
  }

  std::int64_t gradient_parts() const override {
    return parts_of_outputs() * x_.factor.parts * blocks_of_width();
  }

  void add_gradient(std::int64_t part, float* d_w, bool is_uninitialised) const override {
    const std::int64_t group = part % parts_of_outputs() * groups_of_part();
    const std::int64_t output = group * f_.pieces;
    const Columns columns = columns_of(part / parts_of_outputs());
    const std::int64_t column = columns.row_part * width() + columns.first;
    // Rows in one order: d_w is summed in the same order on any number of threads.
    for (std::int64_t row = 0; row < count_; row += rows_of_sum_) {
      const Number* x[kMostWonRows];
      find_rows(columns, row, x);
      sum_won(unit_, WonSums<Number>{.d = turned_ + group * count_ + row,
                                     .d_stride = count_,
                                     .won = won_of(row) + output,
                                     .second_word = std::min(block_rows_, kRowsOfWord),
                                     .groups = std::min(groups_of_part(), f_.groups() - group),
                                     .pieces = f_.pieces,
                                     .x = x,
                                     .sums = d_w + output * inputs_ + column,
                                     .sums_stride = inputs_,
                                     .columns = columns.count,
                                     .is_uninitialised = is_uninitialised && row == 0});
    }
  }

 private:
  // Columns that are summed at once: of one of the parts that rows are made of.
  struct Columns {
    std::int64_t row_part, first, count;
  };
  std::int64_t width() const { return inputs_ / x_.factor.parts; }
  std::int64_t blocks_of_width() const { return (width() + kMostSumColumns - 1) / kMostSumColumns; }
  // About equally many, in whole steps.
  Columns columns_of(std::int64_t block) const {
    const std::int64_t step = blocks_of_width() * kStep;
    const std::int64_t each = (width() + step - 1) / step * kStep;
    const std::int64_t first = block % blocks_of_width() * each;
    return {block / blocks_of_width(), first, std::min(each, width() - first)};
  }

  // Where columns of the rows of x begin, from this row of the chunk on: rows are not copied.
  void find_rows(const Columns& columns, std::int64_t row, const Number** to) const {
    alignas(64) static constexpr Number kZeros[kMostSumColumns] = {};
    const Factor& x = x_.factor;
    const auto* numbers = static_cast<const Number*>(x.data) + columns.first;
    for (const std::int64_t end = std::min(row + rows_of_sum_, count_); row < end; ++row) {
      const std::int64_t seen = x.seen == nullptr ? row : x.seen[row * x.parts + columns.row_part];
      *to++ = seen < 0 ? kZeros : numbers + seen * x.stride;
    }
  }

  RowBits* won_of(std::int64_t row) const { return won_ + row / rows_of_sum_ * f_.outputs; }

  // An even number: sums go by two groups.
  std::int64_t groups_of_part() const {
    return (f_.groups() + 2 * kMostPartsOfOutputs - 1) / (2 * kMostPartsOfOutputs) * 2;
  }
  std::int64_t parts_of_outputs() const {
    return (f_.groups() + groups_of_part() - 1) / groups_of_part();
  }

  const VectorUnit& unit_;
  LayerFactors f_;
  std::int64_t inputs_;
  TableOfWeights<Number> weights_;
  // Of the chunk.
  std::int64_t first_ = 0, count_ = 0, block_rows_ = 0, rows_of_sum_ = 0;
  ScratchArray<float> turned_;
  ScratchArray<RowBits> won_;
  GatheredFactor x_;
};

// Sums stand in registers for so many columns or a multiple, of one of the parts of the rows.
bool can_choose(const LayerFactors& factors, std::int64_t columns) {
  return factors.pieces >= kFewestPieces && factors.x.width % columns == 0 &&
         factors.outputs <= std::numeric_limits<std::int32_t>::max() / factors.x.length();
}

}  // namespace

bool is_sparse(const LayerFactors& factors) {
  return can_choose(factors, kOfLine);
}

bool is_sparse_by_dots(const LayerFactors& factors) {
  return factors.x.factors == NumberFormat::bf16 && can_choose(factors, kPairColumns);
}

std::unique_ptr<BackwardGemms> sparse_backward(const VectorUnit& unit, const LayerFactors& factors,
                                               const WorkSharing& sharing) {
  return std::make_unique<SparseBackward<float>>(unit, factors, sharing);
}

std::unique_ptr<BackwardGemms> sparse_backward_by_dots(const VectorUnit& unit,
                                                       const LayerFactors& factors,
                                                       const WorkSharing& sharing) {
  return std::make_unique<SparseBackward<std::uint16_t>>(unit, factors, sharing);
}

}  // namespace weft::cpu
