#include "framework/backends/cuda/block_sum.h"
#include "framework/backends/cuda/launch.h"
#include "framework/ops/optimizer_step.h"

namespace weft::cuda {
namespace {

struct Moments {
  float* weights;
  const float* gradient;
  float* mom1;
  float* mom2;
  StepScalars scalars;
};

struct Adam {
  Moments of;
  WEFT_KERNEL void operator()(std::int64_t i) const {
    of.weights[i] = adam_element(of.weights[i], of.gradient[i], of.mom1[i], of.mom2[i], of.scalars);
  }
};

struct Momentum {
  Moments of;
  WEFT_KERNEL void operator()(std::int64_t i) const {
    of.weights[i] =
        momentum_element(of.weights[i], of.gradient[i], of.mom1[i], of.mom2[i], of.scalars);
  }
};

struct Sgd {
  float* weights;
  const float* gradient;
  StepScalars scalars;
  WEFT_KERNEL void operator()(std::int64_t i) const {
    weights[i] = sgd_element(weights[i], gradient[i], scalars);
  }
};

struct Average {
  float* average;
  const float* weights;
  float rate;
  WEFT_KERNEL void operator()(std::int64_t i) const {
    average[i] -= rate * (average[i] - weights[i]);
  }
};

// Squares of a part of the gradient for each block. Threads add up every kThreads-th element and
// then form a fixed tree (join): the sum does not depend on which thread is faster, so that
// clipping by it gives the same bytes each time. In f64, as on the CPU.
struct Squares {
  const float* gradient;
  const float* weights;
  float l2;
  std::int64_t count;
  double* partial;  // one for each block

  WEFT_KERNEL void operator()(Block& block) const {
    double* sums = block.shared<double>(kThreads);
    const std::int64_t first = block.index() * kSquaresOfBlock;
    const std::int64_t end = first + kSquaresOfBlock < count ? first + kSquaresOfBlock : count;
    block.each([&](int thread) {
      double sum = 0.0;
      for (std::int64_t i = first + thread; i < end; i += kThreads) {
        const double value = l2 == 0.0F ? gradient[i] : gradient[i] + l2 * weights[i];
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

// Adds up the sums of the blocks, in one block and the same fixed order.
struct SumOfPartial {
  const double* partial;
  std::int64_t count;
  double* result;

  WEFT_KERNEL void operator()(Block& block) const {
    double* sums = block.shared<double>(kThreads);
    block.each([&](int thread) {
      double sum = 0.0;
      for (std::int64_t i = thread; i < count; i += kThreads) sum += partial[i];
      sums[thread] = sum;
    });
    join(block, sums);
    block.each([&](int thread) {
      if (thread == 0) *result = sums[0];
    });
  }
};

Moments moments(View weights, ConstView gradient, View mom1, View mom2, const StepScalars& s) {
  return {weights.as<float>(), gradient.as<float>(), mom1.as<float>(), mom2.as<float>(), s};
}

void adam_step(Stream& stream, View weights, ConstView gradient, View mom1, View mom2,
               StepScalars s) {
  launch_elements(device_stream(stream), weights.size(),
                  Adam{moments(weights, gradient, mom1, mom2, s)});
}

void momentum_step(Stream& stream, View weights, ConstView gradient, View mom1, View mom2,
                   StepScalars s) {
  launch_elements(device_stream(stream), weights.size(),
                  Momentum{moments(weights, gradient, mom1, mom2, s)});
}

void sgd_step(Stream& stream, View weights, ConstView gradient, StepScalars s) {
  launch_elements(device_stream(stream), weights.size(),
                  Sgd{weights.as<float>(), gradient.as<float>(), s});
}

void average_step(Stream& stream, View average, ConstView weights, float rate) {
  launch_elements(device_stream(stream), average.size(),
                  Average{average.as<float>(), weights.as<float>(), rate});
}

void squared_norm(Stream& stream, ConstView gradient, ConstView weights, float l2, double* result) {
  DeviceStream& queue = device_stream(stream);
  const std::int64_t count = gradient.size(), blocks = divide_up(count, kSquaresOfBlock);
  const Scratch<double> partial(queue, blocks);
  // Without L2 the weights are not read, which halves the memory traffic.
  const auto* w = l2 == 0.0F ? nullptr : weights.as<float>();
  const SharedSize shared = SharedSize().add<double>(kThreads);
  launch(queue, blocks, kThreads, shared,
         Squares{gradient.as<float>(), w, l2, count, partial.data()});
  launch(queue, 1, kThreads, shared, SumOfPartial{partial.data(), blocks, result});
}

const KernelRegistration<AdamStep> adam_registered{DeviceKind::cuda, adam_step};
const KernelRegistration<MomentumStep> momentum_registered{DeviceKind::cuda, momentum_step};
const KernelRegistration<SgdStep> sgd_registered{DeviceKind::cuda, sgd_step};
const KernelRegistration<AverageStep> average_registered{DeviceKind::cuda, average_step};
const KernelRegistration<SquaredNorm> norm_registered{DeviceKind::cuda, squared_norm};

}  // namespace
}  // namespace weft::cuda
