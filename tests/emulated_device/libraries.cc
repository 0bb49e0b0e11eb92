// Stand-ins for the libraries of the CUDA toolkit.
#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "framework/backends/cuda/device_gemm.h"
#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/softmax_library.h"
#include "framework/backends/cuda/sort.h"
#include "framework/tensor/rounding.h"

namespace weft::cuda {
namespace {

// op(view) as f32 numbers without gaps.
std::vector<float> operand(ConstView view, bool transposed, bool tf32, std::int64_t shift) {
  const Floats numbers = floats(view);
  const std::int64_t rows = transposed ? view.cols() : view.rows();
  const std::int64_t columns = transposed ? view.rows() : view.cols();
  std::vector<float> result;
  result.reserve(static_cast<std::size_t>(view.size()));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const float value = transposed ? numbers.load(j, shift + i) : numbers.load(i, shift + j);
      result.push_back(tf32 ? tf32_from_f32(value) : value);
    }
  }
  return result;
}

void multiply(const GemmArgs& args, std::int64_t batch) {
  const bool tf32 = args.tf32 && args.a.dtype == DType::f32;
  const auto a = operand(args.a, args.transpose_a, tf32, batch * args.a_step);
  const auto b = operand(args.b, args.transpose_b, tf32, batch * args.b_step);
  const Floats c = floats(args.c);
  const std::int64_t n = args.c.cols(), k = args.inner(), shift = batch * args.c_step;
  std::vector<float> sums(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < args.c.rows(); ++i) {
    std::fill(sums.begin(), sums.end(), 0.0F);
    for (std::int64_t l = 0; l < k; ++l) {
      const float factor = a[static_cast<std::size_t>(i * k + l)];
      const float* row = b.data() + l * n;
      for (std::int64_t j = 0; j < n; ++j) sums[static_cast<std::size_t>(j)] += factor * row[j];
    }
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = sums[static_cast<std::size_t>(j)];
      if (args.beta != 0.0F) sum += args.beta * c.load(i, shift + j);
      if (args.bias.size() > 0) sum += floats(args.bias).load(0, j);
      c.store(i, shift + j, sum);
    }
  }
}

// As the library has no algorithm for 16-bit rows that do not begin at multiples of 16 bytes, so
// that tests with odd sizes reach the kernel that takes everything.
bool is_aligned(ConstView view) {
  return view.dtype == DType::f32 || view.row_stride() % 8 == 0;
}

}  // namespace

bool gemm_by_library(DeviceStream& stream, const GemmArgs& args, const std::function<void()>&) {
  const bool same = args.a.dtype == args.b.dtype;
  const bool aligned = is_aligned(args.a) && is_aligned(args.b) && is_aligned(args.c);
  // For tests of what happens then.
  const bool refuses = std::getenv("WEFT_EMULATED_LIBRARY_REFUSES") != nullptr;
  if (!same || !aligned || args.inner() == 0 || refuses) return false;
  const DeviceAccess access(stream);
  for (std::int64_t batch = 0; batch < args.batches; ++batch) multiply(args, batch);
  return true;
}

void sort_pairs(DeviceStream& stream, const std::uint32_t* keys, const std::uint32_t* values,
                std::int64_t count, int, const SortedPairs& sorted) {
  const DeviceAccess access(stream);
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return keys[a] < keys[b]; });
  for (std::int64_t i = 0; i < count; ++i) {
    sorted.keys[i] = keys[order[static_cast<std::size_t>(i)]];
    sorted.values[i] = values[order[static_cast<std::size_t>(i)]];
  }
}

bool softmax_by_library(DeviceStream&, ConstView, View) {
  return false;
}

}  // namespace weft::cuda
