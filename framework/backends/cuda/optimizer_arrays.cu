// Many arrays in one launch: every block works on a part of one of them, which it finds by its
// number in a list. A list of what is looked at goes along with the launch, as long as its
// arguments may be; one of all that a step needs is longer, and is sent ahead.
#include <algorithm>
#include <vector>

#include "framework/backends/cuda/block_sum.h"
#include "framework/backends/cuda/floats.h"
#include "framework/backends/cuda/launch.h"
#include "framework/ops/optimizer_arrays.h"

namespace weft::cuda {
namespace {

// An array and the first of the blocks that work on it.
template <class Array>
struct Placed {
  Array of;
  std::int64_t first_block;
};

template <class Array>
struct Layout {
  std::vector<Placed<Array>> arrays;
  std::int64_t blocks = 0;

  Layout(std::span<const Array> all, std::int64_t elements_of_block) {
    for (const Array& array : all) {
      arrays.push_back({array, blocks});
      blocks += divide_up(array.count, elements_of_block);
    }
  }
};

// The last array that begins at this block or before it: those without elements have no block.
template <class Array>
WEFT_KERNEL std::int64_t array_of(const Placed<Array>* arrays, std::int64_t count,
                                  std::int64_t block) {
  std::int64_t low = 0, high = count;  // the answer is in [low, high)
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    if (arrays[middle].first_block <= block) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

WEFT_KERNEL float rounded(float value, DType type) {
  if (type == DType::f16) return from_f16(to_f16(value));
  return type == DType::bf16 ? f32_from_bf16(bf16_from_f32(value)) : value;
}

// Not yet multiplied.
WEFT_KERNEL float kept(const GradientElements& gradient, std::int64_t i) {
  return gradient.data == nullptr ? 0.0F : rounded(gradient.data[i], gradient.type);
}

WEFT_KERNEL Floats line(void* data, DType type) {
  return {data, 0, type};
}

// Of at most so many arrays: the arguments of a launch have 4 KiB.
constexpr int kMostNorms = 64;

struct NormList {
  Placed<NormArray> arrays[kMostNorms];
  std::int64_t count;
  std::int64_t blocks;

  explicit NormList(std::span<const NormArray> all) : count(static_cast<std::int64_t>(all.size())) {
    const Layout<NormArray> layout(all, kSquaresOfBlock);
    std::copy(layout.arrays.begin(), layout.arrays.end(), arrays);
    blocks = layout.blocks;
  }
};
static_assert(sizeof(NormList) + 2 * sizeof(double*) <= 4096);

// The sum of a block is formed by threads that each add every kThreads-th number, and then by a
// fixed tree; which block is ready first does not matter. The blocks' sums are joined by a second
// launch, since blocks cannot wait for each other.
struct Norms {
  NormList list;
  double* partial;  // one for each block

  WEFT_KERNEL void operator()(Block& block) const {
    double* sums = block.shared<double>(kThreads);
    const Placed<NormArray>& placed = list.arrays[array_of(list.arrays, list.count, block.index())];
    const NormArray& array = placed.of;
    const std::int64_t first = (block.index() - placed.first_block) * kSquaresOfBlock;
    const std::int64_t end =
        first + kSquaresOfBlock < array.count ? first + kSquaresOfBlock : array.count;
    const Floats weights = line(const_cast<void*>(array.weights), array.weight_type);
    block.each([&](int thread) {
      double sum = 0.0;
      for (std::int64_t i = first + thread; i < end; i += kThreads) {
        const float gradient = kept(array.gradient, i) * array.gradient.factor;
        const double value = array.l2 == 0.0F ? gradient : gradient + array.l2 * weights.load(0, i);
        sum += value * value;
      }
      sums[thread] = sum;
    });
    join(block, sums);
    block.each([&](int thread) {
      if (thread == 0) partial[block.index()] = sums[0];
    });
  }
};

// A block for each array.
struct JoinedNorms {
  NormList list;
  const double* partial;
  double* squares;

  WEFT_KERNEL void operator()(Block& block) const {
    double* sums = block.shared<double>(kThreads);
    const std::int64_t array = block.index();
    const std::int64_t first = list.arrays[array].first_block;
    const std::int64_t end =
        array + 1 < list.count ? list.arrays[array + 1].first_block : list.blocks;
    block.each([&](int thread) {
      sums[thread] = 0.0;
      for (std::int64_t i = first + thread; i < end; i += kThreads) sums[thread] += partial[i];
    });
    join(block, sums);
    block.each([&](int thread) {
      if (thread == 0) squares[array] = sums[0];
    });
  }
};

// Every number is loaded, stepped in f32 and stored once; weights and moments may be 16 bits.
// Elements are independent, so the bytes do not depend on how they are divided among blocks.
struct Steps {
  const Placed<StepArray>* arrays;
  std::int64_t count;

  WEFT_KERNEL static void step(const StepArray& array, std::int64_t i) {
    const Floats weights = line(array.weights, array.weight_type);
    const Floats mom1 = line(array.mom1, array.moment_type);
    const Floats mom2 = line(array.mom2, array.moment_type);
    const bool has_moments = array.rule != StepRule::sgd;
    WeightStep n;
    n.weight = weights.load(0, i);
    if (has_moments) {
      n.mom1 = mom1.load(0, i);
      n.mom2 = mom2.load(0, i);
    }
    if (array.average != nullptr) n.average = array.average[i];
    step_element(array, kept(array.gradient, i) * array.gradient.factor, n);
    weights.store(0, i, n.weight);
    if (has_moments) {
      mom1.store(0, i, n.mom1);
      mom2.store(0, i, n.mom2);
    }
    if (array.average != nullptr) array.average[i] = n.average;
  }

  WEFT_KERNEL void operator()(Block& block) const {
    const Placed<StepArray>& placed = arrays[array_of(arrays, count, block.index())];
    const std::int64_t first = (block.index() - placed.first_block) * kElementsOfBlock;
    const std::int64_t left = placed.of.count - first;
    const std::int64_t end = first + (kElementsOfBlock < left ? kElementsOfBlock : left);
    block.each([&](int thread) {
      for (std::int64_t i = first + thread; i < end; i += kThreads) step(placed.of, i);
    });
  }
};

void gradient_norms(Stream& stream, std::span<const NormArray> all, double* squares) {
  DeviceStream& queue = device_stream(stream);
  const SharedSize shared = SharedSize().add<double>(kThreads);
  for (std::size_t first = 0; first < all.size(); first += kMostNorms) {
    const NormList list(all.subspan(first, std::min<std::size_t>(kMostNorms, all.size() - first)));
    const Scratch<double> partial(queue, list.blocks);
    launch(queue, list.blocks, kThreads, shared, Norms{list, partial.data()});
    launch(queue, list.count, kThreads, shared, JoinedNorms{list, partial.data(), squares + first});
  }
}

void step_arrays(Stream& stream, std::span<const StepArray> all) {
  DeviceStream& queue = device_stream(stream);
  const Layout<StepArray> layout(all, kElementsOfBlock);
  const Staged<Placed<StepArray>> arrays(queue, layout.arrays);
  launch(queue, layout.blocks, kThreads, {},
         Steps{arrays.data(), static_cast<std::int64_t>(all.size())});
}

const KernelRegistration<GradientNorms> norms_registered{DeviceKind::cuda, gradient_norms};
const KernelRegistration<StepArrays> step_registered{DeviceKind::cuda, step_arrays};

}  // namespace
}  // namespace weft::cuda
