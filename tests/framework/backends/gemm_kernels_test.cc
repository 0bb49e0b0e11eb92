// GEMM kernels against sums in double of the rounded inputs, within the bounds of
// docs/precision.md.
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "framework/ops/gemm.h"
#include "framework/tensor/rounding.h"
#include "tests/framework/backends/device_under_test.h"

namespace weft {
namespace {

class GemmKernels : public DeviceTest {
 protected:
  struct Case {
    std::int64_t m, n, k;
    Transpose transpose_a = Transpose::no, transpose_b = Transpose::no;
    float beta = 0.0F;
    DType inputs = DType::f32, result = DType::f32;
    bool bias = false;
    std::int64_t gap = 0;  // numbers between the rows of all matrices
  };
  void check(const Case& one);
};
INSTANTIATE_TEST_SUITE_P(Devices, GemmKernels, kDevices, device_name);

float at(const Tensor& t, Transpose transpose, std::int64_t i, std::int64_t j) {
  return transpose == Transpose::yes ? t.data<float>()[j * t.dim(1) + i]
                                     : t.data<float>()[i * t.dim(1) + j];
}

std::string text(std::int64_t m, std::int64_t n, std::int64_t k, DType inputs, DType result) {
  return Shape{m, n, k}.str() + " " + std::string(name_of(inputs)) + " to " +
         std::string(name_of(result));
}

void GemmKernels::check(const Case& one) {
  const std::int64_t m = one.m, n = one.n, k = one.k, gap = one.gap;
  const Transpose ta = one.transpose_a, tb = one.transpose_b;
  const DType inputs = one.inputs, result = one.result;
  const float beta = one.beta;
  const Tensor a = random_numbers(ta == Transpose::yes ? Shape{k, m} : Shape{m, k}, 1, inputs);
  const Tensor b = random_numbers(tb == Transpose::yes ? Shape{n, k} : Shape{k, n}, 2, inputs);
  const Tensor before = random_numbers({m, n}, 3, result), bias = random_numbers({n}, 4, result);
  Bench bench(device());
  const auto place = [&](const Tensor& t) {
    return gap == 0 ? bench.put(t) : bench.put_wide(t, 0, t.dim(1) + gap);
  };
  const View placed_a = place(a), placed_b = place(b), c = place(before), again = place(before);
  for (const View& to : {c, again}) {
    if (one.bias) {
      bench.run<Affine>(placed_a, placed_b, bench.put(bias), to);
    } else {
      bench.run<Gemm>(placed_a, ta, placed_b, tb, to, beta);
    }
  }
  const Tensor found = bench.get(c, DType::f32), repeated = bench.get(again, DType::f32);
  const Tensor wide_a = cast_to(DType::f32, a), wide_b = cast_to(DType::f32, b);
  const Tensor old = cast_to(DType::f32, before), row = cast_to(DType::f32, bias);
  const double u = result == DType::f32 ? 0.0 : limits(format_of(result)).unit_roundoff;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = double{beta} * old.data<float>()[i * n + j], size = std::abs(sum);
      if (one.bias) sum += row.data<float>()[j];
      for (std::int64_t l = 0; l < k; ++l) {
        const double term = double{at(wide_a, ta, i, l)} * at(wide_b, tb, l, j);
        sum += term;
        size += std::abs(term);
      }
      const double allowed = std::ldexp(size + 1.0, -20) + u * std::abs(sum) + std::ldexp(1.0, -25);
      ASSERT_NEAR(found.data<float>()[i * n + j], sum, allowed)
          << i << " " << j << " of " << text(m, n, k, inputs, result);
      ASSERT_EQ(found.data<float>()[i * n + j], repeated.data<float>()[i * n + j]);
    }
  }
}

TEST_P(GemmKernels, EveryFormAtEveryFormat) {
  for (const DType inputs : kFormats) {
    for (const DType result : {DType::f32, inputs, DType::bf16}) {
      for (const Transpose ta : {Transpose::no, Transpose::yes}) {
        for (const Transpose tb : {Transpose::no, Transpose::yes}) {
          for (const float beta : {0.0F, 1.0F}) {
            check({33, 24, 40, ta, tb, beta, inputs, result});
            check({17, 5, 19, ta, tb, beta, inputs, result});
          }
        }
      }
    }
  }
}

TEST_P(GemmKernels, NoRowsNoInnerDimensionOneElement) {
  for (const DType inputs : kFormats) {
    check({.m = 0, .n = 8, .k = 8, .inputs = inputs, .result = inputs});
    check({.m = 8, .n = 8, .k = 0, .transpose_a = Transpose::yes, .beta = 1.0F, .inputs = inputs});
    check({.m = 1, .n = 1, .k = 1, .inputs = inputs, .result = inputs});
    check(
        {.m = 64, .n = 96, .k = 1, .transpose_a = Transpose::yes, .beta = 1.0F, .inputs = inputs});
  }
}

TEST_P(GemmKernels, StridedMatrices) {
  for (const DType inputs : kFormats) {
    for (const std::int64_t gap : {3, 8}) {
      check({.m = 20,
             .n = 16,
             .k = 24,
             .beta = 1.0F,
             .inputs = inputs,
             .result = inputs,
             .gap = gap});
      check(
          {.m = 20, .n = 16, .k = 24, .transpose_a = Transpose::yes, .inputs = inputs, .gap = gap});
    }
  }
}

TEST_P(GemmKernels, AffineAddsTheBiasBeforeRounding) {
  for (const DType inputs : kFormats) {
    for (const DType result : {inputs, DType::f32}) {
      check({.m = 70,
             .n = 24,
             .k = 96,
             .transpose_b = Transpose::yes,
             .inputs = inputs,
             .result = result,
             .bias = true});
      check({.m = 5,
             .n = 7,
             .k = 9,
             .transpose_b = Transpose::yes,
             .inputs = inputs,
             .result = result,
             .bias = true});
    }
  }
}

// Gradients of weights have the tokens of the batch as inner dimension, which is cut into chunks.
TEST_P(GemmKernels, LongInnerDimensions) {
  for (const DType inputs : kFormats) {
    for (const std::int64_t k : {256, 257, 512, 2049, 20000}) {
      check(
          {.m = 24, .n = 8, .k = k, .transpose_a = Transpose::yes, .beta = 1.0F, .inputs = inputs});
    }
  }
}

TEST_P(GemmKernels, InputsOfTwoFormats) {
  Bench bench(device());
  const Tensor a = random_numbers({9, 16}, 1, DType::bf16), b = random_numbers({16, 5}, 2);
  const View c = bench.put(Tensor::zeros({9, 5}));
  bench.run<Gemm>(bench.put(a), Transpose::no, bench.put(b), Transpose::no, c, 0.0F);
  const Tensor found = bench.get(c), wide = cast_to(DType::f32, a);
  for (std::int64_t i = 0; i < 9; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) {
      double sum = 0.0;
      for (std::int64_t l = 0; l < 16; ++l) {
        sum += double{wide.data<float>()[i * 16 + l]} * b.data<float>()[l * 5 + j];
      }
      EXPECT_NEAR(found.data<float>()[i * 5 + j], sum, 1e-5);
    }
  }
}

// 1 + 2^-12 and 1 are one number in tf32, and only where tf32 was asked for. The library of a GPU
// may do without it then.
TEST_P(GemmKernels, Tf32OnlyWhereItIsAskedFor) {
  Bench bench(device());
  constexpr std::int64_t kSize = 64;
  constexpr float kNumber = 1.0F + 0x1p-12F;
  Tensor a = Tensor::zeros({kSize, kSize}), b = Tensor::zeros({kSize, kSize});
  for (std::int64_t i = 0; i < kSize; ++i) {
    a.data<float>()[i * (kSize + 1)] = kNumber;
    b.data<float>()[i * (kSize + 1)] = 1.0F;
  }
  const View placed_a = bench.put(a), placed_b = bench.put(b), c = bench.put(a);
  const auto found = [&] { return bench.get(c).data<float>()[kSize + 1]; };
  bench.run<Gemm>(placed_a, Transpose::no, placed_b, Transpose::no, c, 0.0F);
  EXPECT_EQ(found(), kNumber);
  bench.run_tf32<Gemm>(placed_a, Transpose::no, placed_b, Transpose::no, c, 0.0F);
  const float rounded = found();
  const bool is_gpu = GetParam() == "cuda";
  EXPECT_TRUE(rounded == 1.0F || (is_gpu && rounded == kNumber)) << rounded;
}

// Rows of a result have the same bytes whatever their number.
TEST_P(GemmKernels, RowsDoNotDependOnTheBatch) {
  for (const DType type : kFormats) {
    Bench bench(device());
    const Tensor x = random_numbers({300, 96}, 1, type), w = random_numbers({64, 96}, 2, type);
    const auto gemm = [&](const Tensor& rows) {
      const View y = bench.put(Tensor::zeros({rows.dim(0), 64}, type));
      bench.run<Gemm>(bench.put(rows), Transpose::no, bench.put(w), Transpose::yes, y, 0.0F);
      return bench.get(y, DType::f32);
    };
    const Tensor all = gemm(x);
    for (const std::int64_t count : {1, 7, 100}) {
      const Tensor some = gemm(x.rows(100, 100 + count));
      for (std::int64_t i = 0; i < some.size(); ++i) {
        ASSERT_EQ(some.data<float>()[i], all.data<float>()[100 * 64 + i]) << count << " rows";
      }
    }
  }
}

// The GEMMs of the default network, at every size that training and predicting bring: the library
// may have other algorithms for other sizes.
TEST_P(GemmKernels, RowsOfTheModelsShapesDoNotDependOnTheBatch) {
  struct Layer {
    std::int64_t width, inner;
  };
  constexpr Layer kLayers[] = {{288, 384}, {288, 288}, {384, 96}, {64, 96}, {74, 64}};
  std::vector<std::int64_t> sizes{1, 2, 31, 200};
  if (GetParam() == "cuda") sizes = {1, 2, 7, 31, 64, 100, 250, 1000, 4096, 16000, 40000};
  for (const DType type : kFormats) {
    for (const Layer& layer : kLayers) {
      Bench bench(device());
      const std::int64_t most = sizes.back();
      const View x = bench.put(random_numbers({most, layer.inner}, 1, type));
      const View w = bench.put(random_numbers({layer.width, layer.inner}, 2, type));
      const View bias = bench.put(random_numbers({layer.width}, 3, type));
      const View y = bench.put(Tensor::zeros({most, layer.width}, type));
      bench.run<Affine>(x, w, bias, y);
      const Tensor all = bench.get(y, DType::f32);
      for (const std::int64_t count : sizes) {
        const std::int64_t first = (most - count) / 2;
        const View some = y.slice(0, count);
        bench.run<Affine>(x.slice(first, count), w, bias, some);
        const Tensor found = bench.get(some, DType::f32);
        const float* expected = all.data<float>() + first * layer.width;
        ASSERT_EQ(std::memcmp(found.cview().data, expected, found.bytes()), 0)
            << text(count, layer.width, layer.inner, type, type);
      }
    }
  }
}

}  // namespace
}  // namespace weft
