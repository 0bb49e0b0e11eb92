#include "framework/ops/elementwise.h"

#include <string>

#include "framework/ops/activation.h"
#include "framework/ops/dropout.h"
#include "framework/ops/maxout.h"
#include "framework/ops/window.h"
#include "tests/framework/backends/device_under_test.h"

namespace weft {
namespace {

using ElementwiseKernels = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, ElementwiseKernels, kDevices, device_name);

constexpr Size kSizes[] = {{0, 3}, {1, 1}, {1, 1025}, {7, 5}, {300, 96}, {3, 2049}};

TEST_P(ElementwiseKernels, AddMultiplyScaleEqualTheCpu) {
  for (const DType type : kFormats) {
    for (const Size& size : kSizes) {
      const std::int64_t n = size.rows, d = size.width;
      compare(
          [&](Bench& bench) {
            const View x = bench.put(random_numbers({n, d}, 1, type));
            const View y = bench.put(random_numbers({n, d}, 2, type));
            const View row = bench.put(random_numbers({1, d}, 3, type));
            const View product = bench.put(random_numbers({n, d}, 4, type));
            const View scaled = bench.put(random_numbers({n, d}, 5, type));
            bench.run<AddInPlace>(x, y);
            bench.run<Multiply>(y, row, product);
            bench.run<MultiplyInPlace>(y, y);
            bench.run<Scale>(y, 0.3F, scaled);
            return std::vector{bench.get(x, type), bench.get(product, type),
                               bench.get(scaled, type)};
          },
          type == DType::f32 ? 0.0 : 1e-6, named("elementwise", n, d, type));
    }
  }
}

TEST_P(ElementwiseKernels, StridedViewsLeaveTheRestAlone) {
  for (const DType type : kFormats) {
    compare(
        [&](Bench& bench) {
          const Tensor numbers = random_numbers({9, 6}, 1, type);
          const View x = bench.put_wide(numbers, 3, 11), y = bench.put_wide(numbers, 1, 8);
          bench.run<AddInPlace>(x, y);
          bench.run<MultiplyInPlace>(y, x);
          const View whole(static_cast<char*>(x.data) - 3 * size_of(x.dtype), x.dtype, {9, 11});
          return std::vector{bench.get(whole, type), bench.get(y, type)};
        },
        type == DType::f32 ? 0.0 : 1e-6, named("strided", 9, 6, type));
  }
}

// Casts are exact: the device has the bits of the host for every f16, and for f32 numbers that are
// ties, overflow, subnormal, infinite or no number.
TEST_P(ElementwiseKernels, CastsHaveTheBitsOfTheHost) {
  Tensor all = Tensor::zeros({256, 256}, DType::f16);
  auto* bits = static_cast<std::uint16_t*>(all.view().data);
  for (int i = 0; i < 65536; ++i) bits[i] = static_cast<std::uint16_t>(i);
  Tensor wide = cast_to(DType::f32, all);
  for (std::int64_t i = 0; i < wide.size(); i += 3) wide.data<float>()[i] *= 1.00049F;
  for (std::int64_t i = 1; i < wide.size(); i += 3) wide.data<float>()[i] *= 8.1F;
  for (const DType type : {DType::f16, DType::bf16}) {
    for (const bool strided : {false, true}) {
      Bench bench(device());
      const View from = strided ? bench.put_wide(wide, 1, 259) : bench.put(wide);
      const View narrow = bench.put(Tensor::zeros({256, 256}, type));
      const View back = bench.put(Tensor::zeros({256, 256}));
      bench.run<CopyRows>(from, narrow);
      bench.run<CopyRows>(narrow, back);
      const Tensor expected = cast_to(type, wide), found = bench.get(narrow);
      const auto* a = static_cast<const std::uint16_t*>(found.cview().data);
      const auto* b = static_cast<const std::uint16_t*>(expected.cview().data);
      for (int i = 0; i < 65536; ++i) ASSERT_EQ(a[i], b[i]) << wide.data<float>()[i];
      const Tensor widened = cast_to(DType::f32, expected), returned = bench.get(back);
      for (std::int64_t i = 0; i < widened.size(); ++i) {
        const float x = returned.data<float>()[i], y = widened.data<float>()[i];
        ASSERT_TRUE(x == y || (x != x && y != y)) << x << " " << y;
      }
    }
  }
}

TEST_P(ElementwiseKernels, CopiesOfNumbersThatAreNotFloating) {
  compare(
      [&](Bench& bench) {
        const View from = bench.put(random_rows({5, 7}, 1, 1000));
        const View to = bench.put(random_rows({5, 9}, 2, 1000));
        bench.run<CopyRows>(from.columns(2, 4), to.columns(1, 4));
        Tensor bytes = Tensor::zeros({3, 8}, DType::u8);
        for (int i = 0; i < 24; ++i) bytes.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
        const View copied = bench.put(Tensor::zeros({3, 5}, DType::u8));
        bench.run<CopyRows>(bench.put(bytes).columns(1, 5), copied);
        Tensor ids = Tensor::from<std::uint64_t>({2, 2}, {1, 2, 1ULL << 63, 4});
        const View second = bench.put(Tensor::zeros({2, 1}, DType::u64));
        bench.run<CopyRows>(bench.put(ids).columns(0, 1), second);
        return std::vector{bench.get(to), bench.get(copied), bench.get(second)};
      },
      0.0, "copies");
}

TEST_P(ElementwiseKernels, ActivationsEqualTheCpu) {
  for (const DType type : kFormats) {
    for (const Activation activation : {Activation::relu, Activation::mish, Activation::sigmoid,
                                        Activation::swish, Activation::gelu}) {
      compare(
          [&](Bench& bench) {
            Tensor wide = random_numbers({3, 401}, 1);
            for (std::int64_t i = 0; i < wide.size(); ++i) wide.data<float>()[i] *= 25.0F;
            const View x = bench.put(cast_to(type, wide));
            const View y = bench.put(random_numbers({3, 401}, 2, type));
            const View dy = bench.put(random_numbers({3, 401}, 3, type));
            const View dx = bench.put(random_numbers({3, 401}, 4, type));
            bench.run<ActivationForward>(activation, x, y);
            const View seen = bench.put(bench.get(y, type));
            bench.run<ActivationBackward>(activation, dy, x, seen, dx);
            return std::vector{bench.get(y, type), bench.get(dx, type)};
          },
          2e-6, named("activation", static_cast<std::int64_t>(activation), 401, type));
    }
  }
}

TEST_P(ElementwiseKernels, MaxoutEqualsTheCpu) {
  for (const DType type : kFormats) {
    for (const int pieces : {1, 2, 3, 5}) {
      for (const std::int64_t n : {0, 1, 401}) {
        compare(
            [&](Bench& bench) {
              const View z = bench.put(random_numbers({n, 7, pieces}, 1, type));
              const View y = bench.put(random_numbers({n, 7}, 2, type));
              const View winners = bench.put(Tensor::zeros({n, 7}, DType::u8));
              const View dz = bench.put(random_numbers({n, 7, pieces}, 3, type));
              bench.run<MaxoutForward>(z, y, winners);
              bench.run<MaxoutBackward>(y, winners, dz);
              return std::vector{bench.get(y, type), bench.get(winners), bench.get(dz, type)};
            },
            0.0, named("maxout", n, pieces, type));
      }
    }
  }
}

TEST_P(ElementwiseKernels, WindowsEqualTheCpu) {
  for (const DType type : kFormats) {
    for (const std::int64_t n : {0, 1, 2, 150}) {
      for (const int window : {1, 2}) {
        const std::int64_t wide = (2 * window + 1) * 20;
        compare(
            [&](Bench& bench) {
              const View x = bench.put(random_numbers({n, 20}, 1, type));
              const View y = bench.put(random_numbers({n, wide}, 2, type));
              const View dy = bench.put(random_numbers({n, wide}, 3, type));
              const View dx = bench.put(random_numbers({n, 20}, 4, type));
              bench.run<WindowForward>(x, window, y);
              bench.run<WindowBackward>(dy, window, dx);
              return std::vector{bench.get(y, type), bench.get(dx, type)};
            },
            1e-6, named("window", n, window, type));
      }
    }
  }
}

TEST_P(ElementwiseKernels, DropoutMasksAreThoseOfTheCpu) {
  const RandomStream random(7, 11, site_hash("tok2vec/3/dropout"));
  for (const DType type : kFormats) {
    for (const std::uint64_t offset : {0U, 1U, 63U, 100U, 4096U}) {
      for (const std::int64_t size : {0, 1, 63, 65, 3000}) {
        compare(
            [&](Bench& bench) {
              const View mask = bench.put(random_numbers({size}, 1, type));
              bench.run<DropoutMask>(random, offset, 0.25, mask);
              return std::vector{bench.get(mask, type)};
            },
            0.0, named("mask", static_cast<std::int64_t>(offset), size, type));
      }
    }
  }
}

// The CPU gets the mask that the draws make.
TEST_P(ElementwiseKernels, AppliedDropoutIsAProductWithTheMask) {
  const RandomStream random(7, 11, site_hash("tok2vec/3/dropout"));
  for (const std::uint64_t offset : {0U, 63U, 100U}) {
    for (const std::int64_t rows : {0, 1, 31}) {
      compare(
          [&](Bench& bench) {
            const View x = bench.put(random_numbers({rows, 97}, 1));
            const View y = bench.put(random_numbers({rows, 97}, 2));
            if (bench.is_cpu()) {
              const View mask = bench.put(Tensor::zeros({rows, 97}));
              bench.run<DropoutMask>(random, offset, 0.25, mask);
              bench.run<Multiply>(x, mask, y);
            } else {
              bench.run<ApplyDropout>(x, DropoutDraws{random, offset, 0.25}, y);
            }
            return std::vector{bench.get(y)};
          },
          0.0, named("dropout", static_cast<std::int64_t>(offset), rows, DType::f32));
    }
  }
}

TEST_P(ElementwiseKernels, DropoutMasksByRowAreThoseOfTheCpu) {
  const RandomStream random(8, 11, site_hash("parser"));
  for (const std::int64_t width : {1, 64, 96, 130}) {
    compare(
        [&](Bench& bench) {
          Tensor offsets = Tensor::zeros({50}, DType::i64);
          for (std::int64_t i = 0; i < 50; ++i) {
            offsets.data<std::int64_t>()[i] = (i * 7 % 50 << 32) + i * 13;
          }
          const View mask = bench.put(random_numbers({50, width}, 1));
          bench.run<DropoutMaskRows>(random, bench.put(offsets), 0.5, mask);
          return std::vector{bench.get(mask)};
        },
        0.0, named("mask rows", 50, width, DType::f32));
  }
}

}  // namespace
}  // namespace weft
