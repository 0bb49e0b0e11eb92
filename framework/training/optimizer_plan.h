// What an optimizer knows of a parameter during a step; for its own sources alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/precision/element_type.h"
#include "framework/training/optimizer.h"

namespace weft {

inline ConstView elements(ConstView array, std::int64_t begin, std::int64_t count) {
  const auto bytes = static_cast<std::int64_t>(size_of(array.dtype));
  return {static_cast<const char*>(array.data) + begin * bytes, array.dtype, {count}};
}

// A parameter that takes part in a step. Neither gradient: it had one before, but not in this step.
struct Optimizer::Planned {
  const NamedParameter* named;
  const Tensor* dense;
  const RowGradient* rows;
  StepScalars scalars;
  // Of gradients that are kept in 16 bits or on a device, and what the latter are rounded to first.
  float factor = 1.0F;
  DType gradient_type = DType::f32;
  OptimizerState* state = nullptr;

  Shape shape() const { return named->parameter->value.shape(); }
  // On a device, where gradients are kept whole.
  GradientNumbers numbers() const {
    return {dense != nullptr ? dense->data<float>() : nullptr, gradient_type, factor};
  }

  // Calls `use` with elements begin ... begin + count, written out where they are not there as
  // such.
  template <class Use>
  void with_gradient(std::int64_t begin, std::int64_t count, Use use) const {
    if (dense != nullptr) {
      std::vector<float> scratch;
      return use(f32_of(elements(dense->cview(), begin, count), scratch));
    }
    const SparseSlice slice(*this, begin, count);
    use(slice.numbers());
  }
  // Of all rows that are kept.
  ConstView row_values(std::vector<float>& scratch) const {
    const ConstView values = rows->values();
    return {f32_of(values, scratch), DType::f32, values.shape};
  }

 private:
  // Zeros but for the rows that are kept, while it lives; then they become zeros again, which is
  // less to write than all.
  class SparseSlice {
   public:
    SparseSlice(const Planned& planned, std::int64_t begin, std::int64_t count)
        : planned_(planned), begin_(begin), count_(count), numbers_(kept()) {
      numbers_.resize(std::max(numbers_.size(), static_cast<std::size_t>(count)));
      planned_.for_rows(begin_, count_,
                        [&](ConstView row, std::size_t at) { planned_.widen(row, &numbers_[at]); });
    }
    ~SparseSlice() {
      planned_.for_rows(begin_, count_, [&](ConstView row, std::size_t at) {
        std::fill_n(&numbers_[at], row.size(), 0.0F);
      });
    }
    SparseSlice(const SparseSlice&) = delete;
    SparseSlice& operator=(const SparseSlice&) = delete;
    const float* numbers() const { return numbers_.data(); }

   private:
    // One for each thread.
    static std::vector<float>& kept() {
      thread_local std::vector<float> zeros;
      return zeros;
    }

    const Planned& planned_;
    std::int64_t begin_, count_;
    std::vector<float>& numbers_;
  };

  // Calls `visit` with each row that is kept of those elements, and its place among them.
  template <class Visit>
  void for_rows(std::int64_t begin, std::int64_t count, Visit visit) const {
    if (rows == nullptr) return;
    const ConstView values = rows->values();
    const std::int64_t width = values.cols(), first = begin / width;
    for (std::int64_t i = 0; i < count / width; ++i) {
      const std::int32_t place = rows->place(static_cast<std::int32_t>(first + i));
      if (place >= 0) visit(values.slice(place, 1), static_cast<std::size_t>(i * width));
    }
  }
  const float* f32_of(ConstView kept, std::vector<float>& scratch) const {
    if (kept.dtype == DType::f32) return kept.as<float>();
    scratch.resize(static_cast<std::size_t>(kept.size()));
    widen(kept, scratch.data());
    return scratch.data();
  }
  void widen(ConstView kept, float* to) const {
    cast_rows(kept, View(to, DType::f32, kept.shape));
    if (kept.dtype == DType::f32) return;
    for (std::int64_t i = 0; i < kept.size(); ++i) to[i] *= factor;
  }
};

// What is kept of a parameter, to the memory of that device.
void move_to(Stream& stream, OptimizerState& state);

}  // namespace weft
