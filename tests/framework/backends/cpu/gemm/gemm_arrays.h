// Arrays for tests of the ways to compute a GEMM, and sums in double to hold them against.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <ostream>

#include <gtest/gtest.h>

#include "framework/backends/cpu/gemm/host_gemm.h"
#include "tests/framework/ops/backwards_tasks.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft::cpu {

struct Form {
  bool transpose_a, transpose_b;
  std::int64_t m, n, k;
  float beta;
  bool bias = false;
};

inline void PrintTo(const Form& form, std::ostream* out) {
  *out << (form.transpose_a ? "a^T " : "a ") << (form.transpose_b ? "b^T " : "b ") << form.m << "x"
       << form.n << "x" << form.k << " beta " << form.beta << (form.bias ? " bias" : "");
}

// The arrays of a args. Rows of c lie 3 further apart than they have to.
struct Arrays {
  explicit Arrays(const Form& form)
      : form(form),
        a(random_tensor({form.m, form.k}, 1)),
        b(random_tensor({form.k, form.n}, 2)),
        c(random_tensor({form.m, form.n + 3}, 3)),
        bias(random_tensor({form.n}, 4)),
        before(c.clone()) {}

  GemmArgs args() {
    return {form.transpose_a,
            form.transpose_b,
            form.m,
            form.n,
            form.k,
            a.data<float>(),
            form.transpose_a ? form.m : form.k,
            b.data<float>(),
            form.transpose_b ? form.k : form.n,
            form.beta,
            c.data<float>(),
            form.n + 3,
            form.bias ? bias.data<float>() : nullptr};
  }
  double left(std::int64_t i, std::int64_t l) const {
    return a.data<float>()[form.transpose_a ? l * form.m + i : i * form.k + l];
  }
  double right(std::int64_t l, std::int64_t j) const {
    return b.data<float>()[form.transpose_b ? j * form.k + l : l * form.n + j];
  }
  // In double; errors are measured by the sum of the absolute products.
  void expect_gemm(double tolerance = 3e-7) const {
    for (std::int64_t i = 0; i < form.m; ++i) {
      for (std::int64_t j = 0; j < form.n; ++j) {
        const std::int64_t at = i * (form.n + 3) + j;
        double sum =
            form.bias ? bias.data<float>()[j] : double{form.beta} * before.data<float>()[at];
        double size = std::abs(sum);
        for (std::int64_t l = 0; l < form.k; ++l) {
          sum += left(i, l) * right(l, j);
          size += std::abs(left(i, l) * right(l, j));
        }
        ASSERT_NEAR(c.data<float>()[at], sum, tolerance * size) << i << " " << j;
      }
    }
  }
  void expect_nothing_beside() const {
    for (std::int64_t i = 0; i < form.m; ++i) {
      for (std::int64_t j = form.n; j < form.n + 3; ++j) {
        const std::int64_t at = i * (form.n + 3) + j;
        ASSERT_EQ(c.data<float>()[at], before.data<float>()[at]) << i << " " << j;
      }
    }
  }

  Form form;
  Tensor a, b, c, bias, before;
};

// Edges of tiles, panels and blocks, more depth than is summed up at once, more columns than are
// packed at once.
inline constexpr Form kForms[] = {
    {false, true, 64, 96, 64, 0.0F},       {false, true, 450, 288, 288, 0.0F},
    {true, false, 288, 288, 120, 1.0F},    {false, false, 33, 49, 95, 0.0F},
    {true, true, 17, 50, 31, 1.0F},        {false, true, 1, 288, 96, 0.0F},
    {true, false, 50, 65, 1100, 1.0F},     {false, false, 40, 1500, 520, 0.5F},
    {false, true, 37, 70, 33, 0.0F, true}, {false, true, 64, 64, 600, 0.0F, true},
    {false, false, 3, 2, 1, -2.0F},        {true, true, 16, 16, 32, 0.0F},
    {false, false, 5, 7, 0, 1.0F},         {false, false, 5, 7, 0, 0.0F}};

// Rows that are multiplied without those above them come out the same.
template <class Multiply>
void expect_rows_alone(const Multiply& multiply) {
  Arrays all({false, true, 75, 96, 288, 0.0F});
  multiply(all.args());
  for (const std::int64_t rows : {1, 16, 31, 33, 74}) {
    Arrays some({false, true, 75, 96, 288, 0.0F});
    GemmArgs args = some.args();
    args.m = rows;
    args.a += (75 - rows) * args.lda;
    multiply(args);
    for (std::int64_t i = 0; i < rows * 99; ++i) {
      if (i % 99 >= 96) continue;
      ASSERT_EQ(args.c[i], all.c.template data<float>()[(75 - rows) * 99 + i]) << rows << " " << i;
    }
  }
}

// Panels in the opposite order, as threads could take them: depths in several slices, sums that
// start from c, and from a bias. A small GEMM stays on its thread.
template <class Multiply>
void expect_threads_share(const Multiply& multiply) {
  BackwardsTasks tasks;
  const auto shared_args = [&](Arrays& arrays) {
    GemmArgs args = arrays.args();
    args.tasks = &tasks.runner;
    tasks.most = 0;
    return args;
  };
  for (const Form& form :
       {Form{false, true, 70, 100, 800, 0.0F, true}, Form{true, false, 110, 96, 90, 1.0F},
        Form{false, false, 60, 131, 400, 0.5F}}) {
    Arrays alone(form), shared(form);
    multiply(alone.args());
    multiply(shared_args(shared));
    EXPECT_GT(tasks.most, 1U);
    EXPECT_EQ(std::memcmp(alone.c.template data<float>(), shared.c.template data<float>(),
                          alone.c.bytes()),
              0);
  }
  Arrays small({false, true, 8, 96, 96, 0.0F});
  multiply(shared_args(small));
  EXPECT_EQ(tasks.most, 0U);
}

}  // namespace weft::cpu
