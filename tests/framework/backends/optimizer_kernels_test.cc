#include <cmath>
#include <limits>
#include <string>

#include "framework/ops/optimizer_arrays.h"
#include "framework/tensor/rounding.h"
#include "tests/framework/backends/device_under_test.h"

namespace weft {
namespace {

using OptimizerKernels = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, OptimizerKernels, kDevices, device_name);

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

// The arrays of a launch, on the device: lengths that end within blocks and at their ends, and one
// without elements.
constexpr std::int64_t kLengths[] = {1, 4096, 0, 4097, 300, 9000};

TEST_P(OptimizerKernels, NormsOfAllGradientsAreFoundAtOnce) {
  for (const DType type : kFormats) {
    for (const float l2 : {0.0F, 0.25F}) {
      compare(
          [&](Bench& bench) {
            std::vector<NormArray> arrays;
            std::uint64_t seed = 0;
            for (const std::int64_t n : kLengths) {
              arrays.push_back(
                  {.gradient = {bench.put(random_numbers({n}, ++seed)).as<float>(), type, 0.125F},
                   .weights = bench.put(random_numbers({n}, ++seed)).data,
                   .l2 = l2,
                   .count = n});
            }
            arrays.push_back({.gradient = {},
                              .weights = bench.put(random_numbers({50}, 99)).data,
                              .l2 = l2,
                              .count = 50});  // without a gradient
            const View squares = bench.put(Tensor::zeros({7}, DType::f64));
            bench.run<GradientNorms>(std::span<const NormArray>(arrays), squares.as<double>());
            Tensor norms = Tensor::zeros({7});
            const Tensor sums = bench.get(squares);
            for (int i = 0; i < 7; ++i) {
              norms.data<float>()[i] = static_cast<float>(std::sqrt(sums.data<double>()[i]));
            }
            return std::vector<Tensor>{norms};
          },
          1e-6, "norms");
    }
  }
}

TEST_P(OptimizerKernels, NormsAreThoseOfTheRoundedAndMultipliedNumbers) {
  Bench bench(device());
  const Tensor gradient = Tensor::from<float>({3}, {1.00049F, -2.0F, 0.5F});
  const std::vector<NormArray> arrays = {
      {.gradient = {bench.put(gradient).as<float>(), DType::f32, 4.0F}, .count = 3},
      {.gradient = {bench.put(gradient).as<float>(), DType::bf16, 4.0F}, .count = 3}};
  auto* squares = bench.put_array<double>({-1.0, -1.0});
  bench.run<GradientNorms>(std::span<const NormArray>(arrays), squares);
  const auto found = bench.get_array(squares, 2);
  EXPECT_NEAR(found[0], 16 * (1.00049 * 1.00049 + 4.25), 1e-5);
  EXPECT_EQ(found[1], 16 * 5.25);  // 1.00049 is 1 in bf16
}

TEST_P(OptimizerKernels, ANumberThatIsNotFiniteShowsInTheSumOfItsArrayAlone) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float number : {infinity, -infinity, std::nanf(""), 3.4e38F, 70000.0F}) {
    for (const std::int64_t place : {0, 4095, 4096, 9998}) {
      Tensor gradient = random_numbers({9999}, 1);
      gradient.data<float>()[place] = number;
      Bench bench(device());
      std::vector<NormArray> arrays;
      for (const DType type : {DType::f32, DType::f16}) {
        arrays.push_back(
            {.gradient = {bench.put(gradient).as<float>(), type, 1e-3F}, .count = 9999});
        arrays.push_back({.gradient = {bench.put(random_numbers({10}, 2)).as<float>(), type, 1.0F},
                          .count = 10});
      }
      auto* squares = bench.put_array<double>({0, 0, 0, 0});
      bench.run<GradientNorms>(std::span<const NormArray>(arrays), squares);
      std::vector<bool> finite;
      for (const double sum : bench.get_array(squares, 4)) finite.push_back(std::isfinite(sum));
      // 16 bits hold numbers up to 65504.
      EXPECT_EQ(finite, (std::vector<bool>{std::isfinite(number), true, false, true}))
          << number << " " << place;
    }
  }
}

// One array of each combination in one launch.
TEST_P(OptimizerKernels, StepsOfAllArraysEqualTheCpu) {
  compare(
      [&](Bench& bench) {
        std::vector<StepArray> arrays;
        std::vector<View> kept;
        std::uint64_t seed = 0;
        const auto put = [&](std::int64_t n, DType type, bool positive) {
          const Tensor numbers = positive ? squares({n}, ++seed) : random_numbers({n}, ++seed);
          View there = bench.put(numbers);
          if (type != DType::f32) {  // in their own width on the CPU too
            const Tensor narrow = cast_to(type, numbers);
            const auto* bits = static_cast<const std::uint16_t*>(narrow.cview().data);
            there = {bench.put_array(std::vector<std::uint16_t>(bits, bits + n)), type, {n}};
          }
          kept.push_back(there);
          return there;
        };
        for (const StepRule rule : {StepRule::adam, StepRule::momentum, StepRule::sgd}) {
          for (const DType moments : kFormats) {
            for (const std::int64_t n : kLengths) {
              StepArray array{.rule = rule, .scalars = kScalars, .gradient = {}};
              array.gradient = {bench.put(random_numbers({n}, ++seed)).as<float>(), moments, 0.5F};
              if (n == 300) array.gradient.data = nullptr;
              array.weights = put(n, DType::f32, false).data;
              if (rule != StepRule::sgd) {
                array.mom1 = put(n, moments, false).data;
                array.mom2 = put(n, moments, true).data;
                array.moment_type = moments;
              }
              if (n != 9000) array.average = put(n, DType::f32, false).as<float>();
              array.average_rate = 0.25F;
              array.count = n;
              arrays.push_back(array);
            }
          }
        }
        bench.run<StepArrays>(std::span<const StepArray>(arrays));
        std::vector<Tensor> results;
        for (const View& view : kept) results.push_back(bench.get(view));
        return results;
      },
      1e-6, "steps of all arrays");
}

// With numbers whose results are known.
TEST_P(OptimizerKernels, SixteenBitWeightsAndMomentsAreRoundedOnceAndMom2IsARoot) {
  Bench bench(device());
  auto* weights = bench.put_array<std::uint16_t>({f16_from_f32(1.0F), f16_from_f32(2.0F)});
  auto* mom1 = bench.put_array<std::uint16_t>({f16_from_f32(0.5F), 0});
  auto* mom2 = bench.put_array<std::uint16_t>({f16_from_f32(0.25F), 0});
  auto* average = bench.put_array<float>({0.0F, 4.0F});
  const StepScalars scalars{.learn_rate = 0.5F, .beta1 = 0.5F, .beta2 = 0.75F, .eps = 1.0F};
  const std::vector<StepArray> arrays = {
      {.scalars = scalars,
       .gradient = {bench.put(Tensor::from<float>({2}, {8.0F, 0.0F})).as<float>(), DType::f32,
                    0.125F},
       .weights = weights,
       .mom1 = mom1,
       .mom2 = mom2,
       .average = average,
       .weight_type = DType::f16,
       .moment_type = DType::f16,
       .average_rate = 0.5F,
       .count = 2}};
  bench.run<StepArrays>(std::span<const StepArray>(arrays));
  const float second = 0.75F * 0.0625F + 0.25F;  // of the square of the root that was kept
  const float first = 0.5F * 0.5F + 0.5F;
  const float weight = 1.0F - 0.5F * (first / (std::sqrt(second) + 1.0F));
  EXPECT_EQ(bench.get_array(weights, 2)[0], f16_from_f32(weight));
  EXPECT_EQ(bench.get_array(weights, 2)[1], f16_from_f32(2.0F));
  EXPECT_EQ(bench.get_array(mom1, 2)[0], f16_from_f32(first));
  EXPECT_EQ(bench.get_array(mom2, 2)[0], f16_from_f32(std::sqrt(second)));
  EXPECT_FLOAT_EQ(bench.get_array(average, 2)[0], 0.5F * weight);
  EXPECT_EQ(bench.get_array(average, 2)[1], 3.0F);
}

// More than go along with one launch.
TEST_P(OptimizerKernels, NormsOfManyArraysStandInTheirPlaces) {
  Bench bench(device());
  std::vector<NormArray> arrays;
  std::vector<double> expected;
  for (int i = 0; i < 150; ++i) {
    const auto count = static_cast<std::int64_t>(i % 7);
    const std::vector<float> numbers(static_cast<std::size_t>(count), static_cast<float>(i));
    arrays.push_back({.gradient = {bench.put_array(numbers), DType::f32, 1.0F}, .count = count});
    expected.push_back(static_cast<double>(count) * i * i);
  }
  auto* squares = bench.put_array(std::vector<double>(arrays.size(), -1.0));
  bench.run<GradientNorms>(std::span<const NormArray>(arrays), squares);
  EXPECT_EQ(bench.get_array(squares, arrays.size()), expected);
}

TEST_P(OptimizerKernels, NoArraysAreNoWork) {
  Bench bench(device());
  auto* squares = bench.put_array<double>({3.0});
  bench.run<GradientNorms>(std::span<const NormArray>(), squares);
  bench.run<StepArrays>(std::span<const StepArray>());
  EXPECT_EQ(bench.get_array(squares, 1)[0], 3.0);
}

}  // namespace
}  // namespace weft
