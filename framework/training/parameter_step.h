// One parameter during an optimizer's step; for the optimizer's own sources alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/nn/row_gradient_block.h"
#include "framework/precision/element_type.h"
#include "framework/tensor/object_pool.h"
#include "framework/training/block_runs.h"
#include "framework/training/optimizer.h"

namespace weft {

inline ConstView elements(ConstView array, std::int64_t begin, std::int64_t count) {
  const auto bytes = static_cast<std::int64_t>(size_of(array.dtype));
  return {static_cast<const char*>(array.data) + begin * bytes, array.dtype, {count}};
}

// A parameter that takes part in a step. Neither gradient: it had one before, but not in this step.
struct Optimizer::ParameterStep {
  const NamedParameter* named;
  const Tensor* dense;
  const RowGradient* rows;
  StepScalars scalars;
  ArrayPart part;  // the elements that are changed
  // Of gradients that are kept in 16 bits or on a device, and what the latter are rounded to first.
  float factor = 1.0F;
  DType gradient_type = DType::f32;
  double gradient_norm = 0.0;  // before it is clipped
  OptimizerState* state = nullptr;
  std::optional<OptimizerState> before = {};  // the state before the step; none: there was none
  BlockRuns runs = {};                        // see sort_blocks

  Shape shape() const { return named->parameter->value.shape(); }
  // On a device, where gradients are kept whole.
  GradientElements numbers() const {
    return {dense != nullptr ? dense->data<float>() : nullptr, gradient_type, factor};
  }

  // Of an array with one dimension.
  void sort_blocks() {
    if (rows == nullptr || shape().rank() != 1) return;
    runs = BlockRuns(rows->rows(), shape()[0] / kRowGradientBlock);
  }

  // A row that is kept, and the first of its elements in a slice.
  struct StoredRow {
    std::int32_t place;
    std::size_t at;
  };
  // Scratch for a slice of a gradient of which few rows are kept; the numbers are zeros between
  // slices.
  struct SliceScratch {
    std::vector<float> numbers;
    std::vector<StoredRow> rows;
    std::vector<float> kept;
  };

  // Calls `use` with elements begin ... begin + count, written out where they do not lie there
  // already.
  template <class Use>
  void with_gradient(ObjectPool<SliceScratch>& pool, std::int64_t begin, std::int64_t count,
                     Use use) const {
    if (dense != nullptr) {
      std::vector<float> scratch;
      return use(f32_of(elements(dense->cview(), begin, count), scratch));
    }
    const SparseSlice slice(*this, pool, begin, count);
    use(slice.data());
  }
  // The same with the numbers of the rows that are kept among them, one behind the other.
  template <class Use>
  void with_kept_rows(ObjectPool<SliceScratch>& pool, std::int64_t begin, std::int64_t count,
                      Use use) const {
    const ObjectPool<SliceScratch>::Lease scratch(pool);
    find_rows(begin, count, scratch->rows);
    if (scratch->rows.empty()) return;
    const ConstView values = rows->values();
    const auto width = static_cast<std::size_t>(values.cols());
    scratch->kept.resize(scratch->rows.size() * width);
    float* to = scratch->kept.data();
    for (const StoredRow& row : scratch->rows) {
      widen(values.slice(row.place, 1), to);
      to += width;
    }
    use(ConstView(scratch->kept.data(), DType::f32,
                  {static_cast<std::int64_t>(scratch->kept.size())}));
  }

 private:
  // Zeros but for the rows that are kept, while it lives; then they become zeros again, which is
  // less to write than all.
  class SparseSlice {
   public:
    SparseSlice(const ParameterStep& step, ObjectPool<SliceScratch>& pool, std::int64_t begin,
                std::int64_t count)
        : values_(step.rows != nullptr ? step.rows->values() : ConstView()), scratch_(pool) {
      numbers().resize(std::max(numbers().size(), static_cast<std::size_t>(count)));
      step.find_rows(begin, count, rows());
      const std::size_t found = rows().size();
      for (std::size_t i = 0; i < found; ++i) {
        if (i + kAhead < found) fetch(rows()[i + kAhead]);
        step.widen(row(rows()[i]), &numbers()[rows()[i].at]);
      }
    }
    ~SparseSlice() {
      for (const StoredRow& kept : rows()) {
        std::fill_n(&numbers()[kept.at], values_.cols(), 0.0F);
      }
    }
    SparseSlice(const SparseSlice&) = delete;
    SparseSlice& operator=(const SparseSlice&) = delete;
    const float* data() const { return scratch_->numbers.data(); }

   private:
    // Rows lie where they were first touched, in no order that the processor could foresee.
    static constexpr std::size_t kAhead = 6;

    std::vector<float>& numbers() { return scratch_->numbers; }
    std::vector<StoredRow>& rows() { return scratch_->rows; }
    ConstView row(const StoredRow& kept) const { return values_.slice(kept.place, 1); }
    void fetch(const StoredRow& kept) const {
      const auto* bytes = static_cast<const char*>(row(kept).data);
      const std::size_t count = static_cast<std::size_t>(values_.cols()) * size_of(values_.dtype);
      for (std::size_t i = 0; i < count; i += 64) __builtin_prefetch(bytes + i);
    }

    ConstView values_;
    ObjectPool<SliceScratch>::Lease scratch_;
  };

  // Those of elements begin ... begin + count, of an array with one dimension a run of blocks.
  void find_rows(std::int64_t begin, std::int64_t count, std::vector<StoredRow>& found) const {
    found.clear();
    const std::int64_t width = rows == nullptr ? 0 : rows->values().cols();
    if (width == 0) return;
    const std::int64_t first = begin / width;
    if (shape().rank() == 1) {
      for (const std::int32_t block : runs.of_run_with(first)) {
        found.push_back({rows->place(block), static_cast<std::size_t>((block - first) * width)});
      }
      return;
    }
    for (std::int64_t i = 0; i < count / width; ++i) {
      const std::int32_t place = rows->place(static_cast<std::int32_t>(first + i));
      if (place >= 0) found.push_back({place, static_cast<std::size_t>(i * width)});
    }
  }
  const float* f32_of(ConstView kept, std::vector<float>& scratch) const {
    if (kept.dtype == DType::f32) return kept.as<float>();
    scratch.resize(static_cast<std::size_t>(kept.size()));
    widen(kept, scratch.data());
    return scratch.data();
  }
  void widen(ConstView kept, float* to) const {
    if (kept.dtype == DType::f32) {
      std::copy_n(kept.as<float>(), kept.size(), to);
      return;
    }
    cast_rows(kept, View(to, DType::f32, kept.shape));
    for (std::int64_t i = 0; i < kept.size(); ++i) to[i] *= factor;
  }
};

}  // namespace weft
