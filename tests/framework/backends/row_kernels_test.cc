// Layer norm, softmax, sums over columns and pools, and blocks of layers.
#include <string>

#include "framework/nn/window_rows.h"
#include "framework/ops/dropout.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout_block.h"
#include "framework/ops/reduce.h"
#include "framework/ops/softmax.h"
#include "tests/framework/backends/device_under_test.h"

namespace weft {
namespace {

using RowKernels = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, RowKernels, kDevices, device_name);

constexpr Size kSizes[] = {{0, 5}, {1, 1}, {1, 96}, {7, 15}, {9, 17}, {200, 96}, {65, 300}};

TEST_P(RowKernels, LayerNormEqualsTheCpu) {
  for (const DType type : kFormats) {
    for (const Size& size : kSizes) {
      const std::int64_t n = size.rows, d = size.width;
      compare(
          [&](Bench& bench) {
            const View x = bench.put(random_numbers({n, d}, 1, type));
            const View gamma = bench.put(random_numbers({d}, 2)),
                       beta = bench.put(random_numbers({d}, 3));
            const View y = bench.put(random_numbers({n, d}, 4, type));
            const View stats = bench.put(random_numbers({n, 2}, 5));
            bench.run<LayerNormForward>(x, gamma, beta, y, stats);
            return std::vector{bench.get(y, type), bench.get(stats)};
          },
          4e-6, named("layer norm", n, d, type));
    }
  }
}

TEST_P(RowKernels, LayerNormBackwardEqualsTheCpu) {
  for (const DType type : kFormats) {
    for (const Size& size : kSizes) {
      const std::int64_t n = size.rows, d = size.width;
      compare(
          [&](Bench& bench) {
            const View dy = bench.put(random_numbers({n, d}, 1, type));
            const View x = bench.put(random_numbers({n, d}, 2, type));
            const View stats = bench.put(random_numbers({n, 2}, 3));
            const View gamma = bench.put(random_numbers({d}, 4));
            const View dx = bench.put(random_numbers({n, d}, 5, type));
            const View d_gamma = bench.put(random_numbers({d}, 6)),
                       d_beta = bench.put(random_numbers({d}, 7));
            bench.run<LayerNormBackward>(dy, x, stats, gamma, dx, d_gamma, d_beta);
            return std::vector{bench.get(dx, type), bench.get(d_gamma), bench.get(d_beta)};
          },
          4e-6, named("layer norm back", n, d, type));
    }
  }
}

// A row has the same bytes whichever rows stand around it.
TEST_P(RowKernels, RowsDoNotDependOnTheBatch) {
  Bench bench(device());
  const Tensor x = random_numbers({40, 96}, 1), gamma = random_numbers({96}, 2);
  const auto norm = [&](const Tensor& rows) {
    const View y = bench.put(Tensor::zeros(rows.shape()));
    const View stats = bench.put(Tensor::zeros({rows.dim(0), 2}));
    bench.run<LayerNormForward>(bench.put(rows), bench.put(gamma), bench.put(gamma), y, stats);
    return bench.get(y);
  };
  const Tensor all = norm(x), one = norm(x.rows(23, 24));
  for (int j = 0; j < 96; ++j) EXPECT_EQ(one.data<float>()[j], all.data<float>()[23 * 96 + j]);
}

TEST_P(RowKernels, SoftmaxEqualsTheCpu) {
  for (const DType type : kFormats) {
    for (const Size& size : kSizes) {
      const std::int64_t n = size.rows, d = size.width;
      for (const float temperature : {1.0F, 0.5F}) {
        compare(
            [&](Bench& bench) {
              Tensor wide = random_numbers({n, d}, 1);
              for (std::int64_t i = 0; i < wide.size(); ++i) wide.data<float>()[i] *= 30.0F;
              const View x = bench.put(cast_to(type, wide));
              const View y = bench.put(random_numbers({n, d}, 2, type));
              bench.run<SoftmaxForward>(x, temperature, y);
              return std::vector{bench.get(y, type)};
            },
            2e-6, named("softmax", n, d, type));
      }
    }
  }
}

// The library's softmax, where there is one, takes contiguous rows, and our own kernel the others.
TEST_P(RowKernels, SoftmaxOfStridedRowsEqualsThatOfContiguousOnes) {
  for (const DType type : kFormats) {
    Bench bench(device());
    const Tensor x = random_numbers({33, 20}, 1, type);
    const View y = bench.put(Tensor::zeros({33, 20}, type));
    const View strided = bench.put_wide(x, 2, 25);
    bench.run<SoftmaxForward>(bench.put(x), 1.0F, y);
    bench.run<SoftmaxForward>(strided, 1.0F, strided);
    const Tensor a = bench.get(y, DType::f32), b = bench.get(strided, DType::f32);
    const double u = type == DType::f32 ? 0.0 : limits(format_of(type)).unit_roundoff;
    for (std::int64_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(a.data<float>()[i], b.data<float>()[i], 1e-6 + 2 * u * b.data<float>()[i]);
    }
  }
}

TEST_P(RowKernels, ColumnSumsEqualTheCpu) {
  for (const DType type : kFormats) {
    for (const Size& size : kSizes) {
      const std::int64_t n = size.rows, d = size.width;
      compare(
          [&](Bench& bench) {
            const View x = bench.put_wide(random_numbers({n, d}, 1, type), 2, d + 5);
            const View total = bench.put(random_numbers({d}, 2));
            bench.run<AddColumnSums>(x, total, 1.0F);
            const View written = bench.put(random_numbers({d}, 3));
            bench.run<AddColumnSums>(x, written, 0.0F);
            return std::vector{bench.get(total), bench.get(written)};
          },
          8e-6, named("column sums", n, d, type));
    }
  }
}

// 16-bit numbers are added up in f32: 2048 ones in f16 would stay 2048 for ever.
TEST_P(RowKernels, ColumnSumsDoNotStopGrowing) {
  Bench bench(device());
  Tensor ones = Tensor::zeros({100000, 1});
  for (std::int64_t i = 0; i < ones.size(); ++i) ones.data<float>()[i] = 1.0F;
  const View total = bench.put(Tensor::zeros({1}));
  bench.run<AddColumnSums>(bench.put(cast_to(DType::f16, ones)), total, 1.0F);
  EXPECT_EQ(bench.get(total).data<float>()[0], 100000.0F);
}

TEST_P(RowKernels, PoolsEqualTheCpu) {
  const std::vector<std::int64_t> lengths{3, 0, 1, 120, 2};
  for (const DType type : kFormats) {
    for (const Pool pool : {Pool::sum, Pool::mean, Pool::max, Pool::first, Pool::last}) {
      compare(
          [&](Bench& bench) {
            const View x = bench.put(random_numbers({126, 33}, 1, type));
            const View y = bench.put(random_numbers({5, 33}, 2, type));
            const View winners = bench.put(Tensor::zeros({5, 33}, DType::i32));
            const View dy = bench.put(random_numbers({5, 33}, 3, type));
            const View dx = bench.put(random_numbers({126, 33}, 4, type));
            bench.run<PoolForward>(pool, x, lengths, y, winners);
            bench.run<PoolBackward>(pool, dy, lengths, winners, dx);
            return std::vector{bench.get(y, type), bench.get(winners), bench.get(dx, type)};
          },
          2e-6, named("pool", static_cast<std::int64_t>(pool), 33, type));
    }
  }
}

// Sums over more rows than one kernel adds up by itself.
TEST_P(RowKernels, ColumnSumsOfManyRowsEqualTheCpu) {
  compare(
      [&](Bench& bench) {
        const View total = bench.put(random_numbers({33}, 2));
        bench.run<AddColumnSums>(bench.put(random_numbers({4200, 33}, 1)), total, 0.0F);
        return std::vector{bench.get(total)};
      },
      1e-4, "column sums of many rows");
}

// How a block's rows are dropped: not, by a mask that is there, or by draws, which the CPU gets as
// the mask that they make.
enum class Drops { none, mask, draws };

// A layer over windows, of a stack of two over these documents, or one without windows (level 0).
struct BlockCase {
  std::vector<std::int64_t> lengths;
  int level;
  std::int64_t width;
  int pieces;
  Drops drops;
  bool uninitialised;
};

std::vector<Tensor> run_block(Bench& bench, const BlockCase& of) {
  WindowRows rows(of.lengths, 1, 2, 2, WindowRows::Sides::both_sides);
  std::vector<std::int32_t> tables(static_cast<std::size_t>(rows.size()));
  rows.fill(tables.data());
  const bool windows = of.level > 0;
  const std::int64_t n = rows.rows(of.level), m = windows ? rows.rows(of.level - 1) : n;
  const std::int64_t inputs = (windows ? 3 : 1) * of.width, outputs = of.width * of.pieces;
  const auto put = [&](const std::int32_t* from, Shape shape) {
    Tensor host = Tensor::zeros(shape, DType::i32);
    std::copy_n(from, host.size(), host.data<std::int32_t>());
    return bench.put(host);
  };
  const View x = bench.put(random_numbers({m, of.width}, 1));
  MaxoutBlockLayer layer;
  layer.weights = bench.put(random_numbers({outputs, inputs}, 2));
  layer.bias = bench.put(random_numbers({of.width, of.pieces}, 3));
  layer.gamma = bench.put(random_numbers({of.width}, 4));
  layer.beta = bench.put(random_numbers({of.width}, 5));
  layer.place = put(rows.place(of.level).as<std::int32_t>(), {n});
  View window_rows;
  if (windows) {
    layer.seen = put(rows.seen(of.level).as<std::int32_t>(), {n, 3});
    layer.seen_by = put(rows.seen_by(of.level).as<std::int32_t>(), {m, 3});
    if (!bench.is_cpu()) window_rows = bench.put(Tensor::zeros({n, inputs}));
  }
  const RandomStream random(7, 8, 9);
  if (of.drops != Drops::none) {
    const View mask = bench.put(random_numbers({rows.padded_rows(), of.width}, 6));
    if (of.drops == Drops::draws && !bench.is_cpu()) {
      layer.draws = DropoutDraws{random, 37, 0.3};
    } else {
      if (of.drops == Drops::draws) bench.run<DropoutMask>(random, 37U, 0.3, mask);
      layer.mask = mask;
    }
  }
  const View largest = bench.put(Tensor::zeros({n, of.width})),
             y = bench.put(Tensor::zeros({n, of.width})), stats = bench.put(Tensor::zeros({n, 2}));
  const View winners = bench.put(Tensor::zeros({n, of.width}, DType::u8));
  bench.run<MaxoutBlockForward>(
      layer, MaxoutBlockForward::Arrays{x, largest, winners, stats, y, window_rows});
  // Without what the backward pass needs.
  const View alone = bench.put(Tensor::zeros({n, of.width}));
  bench.run<MaxoutBlockForward>(
      layer, MaxoutBlockForward::Arrays{x, View(), View(), View(), alone, window_rows});
  // Gradients that are written where nothing is defined are added to zeros by the CPU.
  const auto gradient = [&](Shape shape, std::uint64_t seed) {
    const bool zeros = of.uninitialised && bench.is_cpu();
    return bench.put(zeros ? Tensor::zeros(shape) : random_numbers(shape, seed));
  };
  const bool written = of.uninitialised && !bench.is_cpu();
  const MaxoutBlockGradients to{gradient({outputs, inputs}, 11),
                                gradient({of.width, of.pieces}, 12),
                                gradient({of.width}, 13),
                                gradient({of.width}, 14),
                                written,
                                written,
                                written,
                                written};
  const View dx = bench.put(random_numbers({m, of.width}, 15));
  bench.run<MaxoutBlockBackward>(
      layer, to,
      MaxoutBlockBackward::Arrays{bench.put(random_numbers({n, of.width}, 16)),
                                  x,
                                  largest,
                                  winners,
                                  stats,
                                  dx,
                                  {},
                                  window_rows});
  return {bench.get(y),       bench.get(winners),    bench.get(largest), bench.get(stats),
          bench.get(dx),      bench.get(to.weights), bench.get(to.bias), bench.get(to.gamma),
          bench.get(to.beta), bench.get(alone)};
}

TEST_P(RowKernels, BlocksEqualTheCpu) {
  for (const BlockCase& of : {BlockCase{{5, 1, 0, 40}, 1, 16, 3, Drops::none, false},
                              BlockCase{{5, 1, 0, 40}, 2, 16, 3, Drops::mask, true},
                              BlockCase{{90, 7, 213}, 2, 96, 3, Drops::draws, true},
                              BlockCase{{3, 9}, 1, 20, 2, Drops::draws, false},
                              BlockCase{{31}, 0, 12, 1, Drops::none, true},
                              BlockCase{{31}, 0, 12, 3, Drops::mask, false}}) {
    compare([&](Bench& bench) { return run_block(bench, of); }, 4e-5,
            named("block", of.level, of.width, DType::f32));
  }
}

// A document's rows have the same bytes whichever documents stand around it.
TEST_P(RowKernels, RowsOfBlocksDoNotDependOnTheBatch) {
  Bench bench(device());
  const BlockCase one{{40}, 2, 96, 3, Drops::none, true},
      many{{40, 300, 1}, 2, 96, 3, Drops::none, true};
  const Tensor alone = run_block(bench, one)[0], beside = run_block(bench, many)[0];
  // The rows of x are random numbers in order, so that those of the first document are the same.
  for (int i = 0; i < 40 * 96; ++i) {
    ASSERT_EQ(alone.data<float>()[i], beside.data<float>()[i]) << i;
  }
}

}  // namespace
}  // namespace weft
