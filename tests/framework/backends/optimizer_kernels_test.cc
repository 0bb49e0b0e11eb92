#include <cmath>
#include <limits>
#include <string>

#include "framework/ops/optimizer_step.h"
#include "tests/framework/backends/device_under_test.h"

namespace weft {
namespace {

using OptimizerKernels = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, OptimizerKernels, kDevices);

constexpr StepScalars kScalars{.clip = 0.7F,
                               .l2 = 0.01F,
                               .learn_rate = 0.002F,
                               .decay = 1e-4F,
                               .beta1 = 0.9F,
                               .beta2 = 0.999F,
                               .eps = 1e-8F};

Tensor squares(Shape shape, std::uint64_t seed) {
  Tensor result = random_numbers(shape, seed);
  for (std::int64_t i = 0; i < result.size(); ++i) {
    result.data<float>()[i] *= result.data<float>()[i];
  }
  return result;
}

TEST_P(OptimizerKernels, StepsEqualTheCpu) {
  for (const std::int64_t n : {0, 1, 1023, 5000}) {
    compare(
        [&](Bench& bench) {
          const View adam = bench.put(random_numbers({n}, 1)),
                     momentum = bench.put(random_numbers({n}, 2));
          const View sgd = bench.put(random_numbers({n}, 3)),
                     average = bench.put(random_numbers({n}, 4));
          const View gradient = bench.put(random_numbers({n}, 5));
          const View mom1 = bench.put(random_numbers({n}, 6)), mom2 = bench.put(squares({n}, 7));
          const View mom3 = bench.put(random_numbers({n}, 8)), mom4 = bench.put(squares({n}, 9));
          bench.run<AdamStep>(adam, gradient, mom1, mom2, kScalars);
          bench.run<MomentumStep>(momentum, gradient, mom3, mom4, kScalars);
          bench.run<SgdStep>(sgd, gradient, kScalars);
          bench.run<AverageStep>(average, sgd, 0.1F);
          std::vector<Tensor> results;
          for (const View& view : {adam, momentum, sgd, average, mom1, mom2, mom3, mom4}) {
            results.push_back(bench.get(view));
          }
          return results;
        },
        1e-6, "steps of " + std::to_string(n));
  }
}

TEST_P(OptimizerKernels, SquaredNormIsASumInDouble) {
  for (const std::int64_t n : {0, 1, 4096, 4097, 100000}) {
    for (const float l2 : {0.0F, 0.5F}) {
      const Tensor gradient = random_numbers({n}, 1), weights = random_numbers({n}, 2);
      double expected = 0.0;
      for (std::int64_t i = 0; i < n; ++i) {
        const double value = l2 == 0.0F ? gradient.data<float>()[i]
                                        : gradient.data<float>()[i] + l2 * weights.data<float>()[i];
        expected += value * value;
      }
      Bench bench(device());
      auto* result = bench.put_array<double>({-1.0});
      bench.run<SquaredNorm>(bench.put(gradient), bench.put(weights), l2, result);
      EXPECT_NEAR(bench.get_array(result, 1)[0], expected, 1e-6 * expected);
    }
  }
}

TEST_P(OptimizerKernels, SquaredNormSeesInfinitiesAndNaN) {
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    Tensor gradient = random_numbers({9000}, 1);
    gradient.data<float>()[8999] = bad;
    Bench bench(device());
    auto* result = bench.put_array<double>({0.0});
    bench.run<SquaredNorm>(bench.put(gradient), ConstView(), 0.0F, result);
    EXPECT_FALSE(std::isfinite(bench.get_array(result, 1)[0]));
  }
}

TEST_P(OptimizerKernels, UnscalingFindsEveryNumberThatIsNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {infinity, -infinity, std::nanf(""), 3.4e38F}) {
    for (const std::int64_t place : {0, 4095, 4096, 9998}) {
      Tensor gradient = random_numbers({9999}, 1);
      gradient.data<float>()[place] = bad;
      Bench bench(device());
      auto* found = bench.put_array<std::int32_t>({5});
      const View view = bench.put(gradient);
      bench.run<CheckAndUnscale>(view, 1.0F / 1024, found);
      EXPECT_EQ(bench.get_array(found, 1)[0], std::isfinite(bad) ? 5 : 6) << bad << " " << place;
      const Tensor unscaled = bench.get(view);
      const std::int64_t other = place == 1 ? 2 : 1;
      EXPECT_EQ(unscaled.data<float>()[other], gradient.data<float>()[other] / 1024);
    }
  }
}

TEST_P(OptimizerKernels, UnscalingNothingFindsNothing) {
  Bench bench(device());
  auto* found = bench.put_array<std::int32_t>({0});
  bench.run<CheckAndUnscale>(bench.put(Tensor::zeros({0})), 0.5F, found);
  EXPECT_EQ(bench.get_array(found, 1)[0], 0);
}

}  // namespace
}  // namespace weft
