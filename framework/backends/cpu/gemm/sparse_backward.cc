// The way back through maxout of three pieces or more, on the vector unit. Of the gradient of a
// group's outputs one number is not zero, so a row of dx is the sum of as many rows of the weights
// as there are groups, chosen by the winners, and a row of d_w the sum of the rows of x where its
// output won. That a number of the sums costs a load where blocks of dense products share one is
// made up for by doing a third of the operations. Nothing of the weights is packed.
#include <algorithm>
#include <limits>

#include "framework/backends/cpu/base/clones.h"
#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/layer_products.h"
#include "framework/backends/cpu/gemm/vector_panel.h"

namespace weft::cpu {

namespace {

constexpr std::int64_t kFewestPieces = 3;
// Rows of the weights that stay in the first cache, so many columns of each.
constexpr std::int64_t kRowsInCache = 72;
// Numbers of a line of the cache; rows begin at lines.
constexpr std::int64_t kOfLine = 16;
// Parts of the outputs, so that several threads find something to do in few columns.
constexpr std::int64_t kPartsOfOutputs = 2;

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

class SparseBackward final : public BackwardProducts {
 public:
  SparseBackward(const VectorUnit& unit, const LayerFactors& factors)
      : unit_(unit), f_(factors), inputs_(f_.x.length()) {}

  // Half of the chunk: all of its rows pass what the first cache holds of the weights.
  void begin_chunk(std::int64_t first, std::int64_t count) override {
    first_ = first;
    count_ = count;
    strip_ = ((count + 1) / 2 + kOfLine - 1) / kOfLine * kOfLine;
    list_ = strip_ + kTermsBehind;
    const std::int64_t strips = (count + strip_ - 1) / strip_;
    lists_ = {};  // first, so that both are not held at the same time
    lists_ = ScratchArray<RowTerm>(ScratchUse::gradients, strips * (list_ + 1) * f_.outputs);
    counts_ = reinterpret_cast<std::int32_t*>(lists_ + strips * list_ * f_.outputs);
    x_ = {};
    x_ = rows_as_depth(f_.x, first, count);
  }

  std::int64_t strip() const override { return strip_; }

  void backward(std::int64_t first, std::int64_t count, const float* d, float* dx) override {
    const std::int64_t groups = f_.groups();
    const ScratchArray<RowTerm> terms(ScratchUse::left, count * groups);
    find_weights(f_, f_.winners + first * groups, count, d, terms);
    const std::int64_t before = (first - first_) / strip_ * f_.outputs;
    unit_.list_winners({.d = d,
                        .winners = f_.winners + first * groups,
                        .rows = count,
                        .groups = groups,
                        .pieces = f_.pieces,
                        .row_stride = kMostSumColumns,
                        .lists = lists_ + before * list_,
                        .list_stride = list_,
                        .counts = counts_ + before});
    const std::int64_t at_once = std::max<std::int64_t>(1, kRowsInCache / f_.pieces);
    for (std::int64_t j = 0; j < inputs_; j += kMostSumColumns) {
      for (std::int64_t group = 0; group < groups; group += at_once) {
        unit_.sum_rows({.terms = terms + group,
                        .list_stride = groups,
                        .count = std::min(at_once, groups - group),
                        .lists = count,
                        .table = f_.w + j,
                        .sums = dx + j,
                        .sums_stride = inputs_,
                        .columns = std::min(kMostSumColumns, inputs_ - j),
                        .is_fresh = group == 0});
      }
    }
  }

  std::int64_t gradient_parts() const override {
    return kPartsOfOutputs * ((inputs_ + kMostSumColumns - 1) / kMostSumColumns);
  }

  void add_gradient(std::int64_t part, float* d_w, bool is_fresh) const override {
    const std::int64_t column = part / kPartsOfOutputs * kMostSumColumns;
    const std::int64_t each = (f_.outputs + kPartsOfOutputs - 1) / kPartsOfOutputs;
    const std::int64_t output = part % kPartsOfOutputs * each;
    const ScratchArray<float> rows(ScratchUse::right, strip_ * kMostSumColumns);
    for (std::int64_t row = 0; row < count_; row += strip_) {
      const std::int64_t before = row / strip_ * f_.outputs;
      pack_panel(x_.factor, column, kMostSumColumns, row, std::min(strip_, count_ - row), rows);
      const RowTerm* lists = lists_ + (before + output) * list_;
      unit_.sum_rows({.terms = lists,
                      .list_stride = list_,
                      .counts = counts_ + before + output,
                      .lists = std::min(each, f_.outputs - output),
                      .table = rows,
                      .sums = d_w + output * inputs_ + column,
                      .sums_stride = inputs_,
                      .columns = std::min(kMostSumColumns, inputs_ - column),
                      .is_fresh = is_fresh && row == 0});
    }
  }

 private:
  const VectorUnit& unit_;
  LayerFactors f_;
  std::int64_t inputs_;
  // Of the chunk: for each strip, lists of up to `strip_` rows for each output, `list_` apart, and
  // their lengths.
  std::int64_t first_ = 0, count_ = 0, strip_ = 0, list_ = 0;
  ScratchArray<RowTerm> lists_;
  std::int32_t* counts_ = nullptr;
  GatheredFactor x_;
};

}  // namespace

bool is_sparse(const LayerFactors& factors) {
  const std::int64_t inputs = factors.x.length();
  return factors.pieces >= kFewestPieces && inputs % kOfLine == 0 &&
         factors.outputs <= std::numeric_limits<std::int32_t>::max() / inputs;
}

std::unique_ptr<BackwardProducts> sparse_backward(const VectorUnit& unit,
                                                  const LayerFactors& factors) {
  return std::make_unique<SparseBackward>(unit, factors);
}

}  // namespace weft::cpu
