#include "framework/ops/sparse_linear.h"

#include <vector>

#include "framework/precision/element_type.h"

namespace weft {

namespace {

// A weight of any floating type as f32.
class Weights {
 public:
  explicit Weights(ConstView weights) : weights_(weights) {}
  float operator[](std::int64_t i) const {
    if (weights_.dtype == DType::f32) return weights_.as<float>()[i];
    float wide = 0;
    const auto bytes = static_cast<std::int64_t>(size_of(weights_.dtype));
    cast_rows({static_cast<const char*>(weights_.data) + i * bytes, weights_.dtype, {1, 1}},
              {&wide, DType::f32, {1, 1}});
    return wide;
  }

 private:
  ConstView weights_;
};

// Each key of a bag of words has kSparsePlaces places in the weights, found by hashes with seeds of
// their own. Keys are added in the order in which they stand, which fixes the rounding.
// The scores of one document, `sum` holding the bias at first.
template <class Numbers>
void add_keys(const SparseLayout& layout, const SparseRows& rows, std::int64_t first,
              std::int64_t count, const Numbers& weights, float* sum) {
  for (std::int64_t k = first; k < first + count; ++k) {
    const auto value = static_cast<float>(rows.counts[k]);
    for (std::uint32_t seed = 0; seed < kSparsePlaces; ++seed) {
      const std::int64_t at = layout.first(rows.keys[k], seed);
      for (std::int64_t c = 0; c < layout.classes; ++c) {
        sum[c] += value * weights[at + c * layout.step()];
      }
    }
  }
}

void sparse_linear_forward(Stream&, SparseLayout layout, SparseRows rows, ConstView weights,
                           ConstView bias, View y) {
  std::vector<float> sum(static_cast<std::size_t>(layout.classes));
  const Weights wide(weights), start(bias);
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < y.rows(); ++i) {
    const std::int64_t count = rows.lengths[static_cast<std::size_t>(i)];
    for (std::int64_t c = 0; c < layout.classes; ++c) sum[static_cast<std::size_t>(c)] = start[c];
    if (weights.dtype == DType::f32) {
      add_keys(layout, rows, first, count, weights.as<float>(), sum.data());
    } else {
      add_keys(layout, rows, first, count, wide, sum.data());
    }
    cast_rows({sum.data(), DType::f32, {1, layout.classes}}, y.slice(i, 1));
    first += count;
  }
}

// The places of all keys and classes were found before, in the order of these loops, so that hashes
// are not computed a second time. `gradient` has as many numbers as there are distinct places.
void sparse_linear_backward(Stream&, SparseRows rows, ConstView dy, ConstView places,
                            View gradient) {
  const auto* place = places.as<std::int32_t>();
  auto* to = gradient.as<float>();
  const std::int64_t classes = dy.cols();
  std::int64_t k = 0;
  for (std::int64_t i = 0; i < dy.rows(); ++i) {
    const float* d = dy.row<float>(i);
    const std::int64_t end = k + rows.lengths[static_cast<std::size_t>(i)];
    for (; k < end; ++k) {
      const auto value = static_cast<float>(rows.counts[k]);
      for (int seed = 0; seed < kSparsePlaces; ++seed) {
        for (std::int64_t c = 0; c < classes; ++c) to[*place++] += value * d[c];
      }
    }
  }
}

const KernelRegistration<SparseLinearForward> forward_kernel{DeviceKind::cpu,
                                                             sparse_linear_forward};
const KernelRegistration<SparseLinearBackward> backward_kernel{DeviceKind::cpu,
                                                               sparse_linear_backward};

}  // namespace

}  // namespace weft
