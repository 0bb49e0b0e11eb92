// Speed of single ops on one thread: GFLOP/s of GEMMs, GB/s of everything else, at the sizes of
// the default entity recognizer (width 96, three pieces, 1000 rows).
#include <vector>

#include <benchmark/benchmark.h>

#include "framework/ops/context.h"
#include "framework/ops/gather.h"
#include "framework/ops/gemm.h"
#include "framework/ops/gemm_description.h"
#include "framework/ops/hash_embed.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout.h"
#include "framework/ops/optimizer_step.h"
#include "framework/ops/random.h"
#include "framework/ops/reduce.h"
#include "framework/ops/window.h"

namespace weft {
namespace {

constexpr std::int64_t kWidth = 96, kPieces = 3;

Tensor numbers(Shape shape) {
  Tensor tensor = Tensor::zeros(shape);
  const RandomStream random(1, 0, 0);
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    tensor.data<float>()[i] = random.uniform(static_cast<std::uint64_t>(i)) - 0.5F;
  }
  return tensor;
}

void count_flops(benchmark::State& state, std::int64_t flops) {
  state.counters["FLOP/s"] =
      benchmark::Counter(static_cast<double>(flops) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
  state.SetLabel(gemm_description());
}

// Bytes that have to be read and written, were nothing in a cache.
void count_bytes(benchmark::State& state, std::int64_t floats) {
  state.SetBytesProcessed(state.iterations() * floats * 4);
}

void gemm_forward(benchmark::State& state) {
  const std::int64_t rows = state.range(0), in = state.range(1), out = kWidth * kPieces;
  const Tensor x = numbers({rows, in}), w = numbers({out, in});
  Tensor y = Tensor::zeros({rows, out});
  Context ctx;
  for (auto _ : state) ctx.run<Gemm>(x, Transpose::no, w, Transpose::yes, y.view(), 0.0F);
  count_flops(state, 2 * rows * in * out);
}
BENCHMARK(gemm_forward)->ArgsProduct({{100, 250, 1000}, {288, 384}});

void gemm_backward_weight(benchmark::State& state) {
  const std::int64_t rows = state.range(0), in = state.range(1), out = kWidth * kPieces;
  const Tensor x = numbers({rows, in}), dy = numbers({rows, out});
  Tensor dw = Tensor::zeros({out, in});
  Context ctx;
  for (auto _ : state) ctx.run<Gemm>(dy, Transpose::yes, x, Transpose::no, dw.view(), 1.0F);
  count_flops(state, 2 * rows * in * out);
}
BENCHMARK(gemm_backward_weight)->ArgsProduct({{100, 250, 1000}, {288, 384}});

void maxout_forward(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  const Tensor z = numbers({rows, kWidth, kPieces});
  Tensor y = Tensor::zeros({rows, kWidth}), winners = Tensor::zeros(y.shape(), DType::u8);
  Context ctx;
  for (auto _ : state) ctx.run<MaxoutForward>(z, y.view(), winners.view());
  count_bytes(state, z.size() + y.size() + y.size() / 4);
}
BENCHMARK(maxout_forward)->Arg(1000);

void maxout_backward(benchmark::State& state) {
  const std::int64_t rows = state.range(0);
  Tensor dz = numbers({rows, kWidth, kPieces});
  const Tensor dy = numbers({rows, kWidth}), winners = Tensor::zeros(dy.shape(), DType::u8);
  Context ctx;
  for (auto _ : state) ctx.run<MaxoutBackward>(dy, winners, dz.view());
  count_bytes(state, dz.size() + dy.size() + dy.size() / 4);
}
BENCHMARK(maxout_backward)->Arg(1000);

void layer_norm_forward(benchmark::State& state) {
  const Tensor x = numbers({state.range(0), kWidth}), gamma = numbers({kWidth});
  Tensor y = Tensor::zeros(x.shape()), stats = Tensor::zeros({x.dim(0), 2});
  Context ctx;
  for (auto _ : state) ctx.run<LayerNormForward>(x, gamma, gamma, y.view(), stats.view());
  count_bytes(state, 2 * x.size());
}
BENCHMARK(layer_norm_forward)->Arg(1000);

void layer_norm_backward(benchmark::State& state) {
  const Tensor x = numbers({state.range(0), kWidth}), gamma = numbers({kWidth});
  const Tensor stats = numbers({x.dim(0), 2});
  Tensor dx = Tensor::zeros(x.shape()), d_gamma = numbers({kWidth}), d_beta = numbers({kWidth});
  Context ctx;
  for (auto _ : state) {
    ctx.run<LayerNormBackward>(x, x, stats, gamma, dx.view(), d_gamma.view(), d_beta.view());
  }
  count_bytes(state, 3 * x.size());
}
BENCHMARK(layer_norm_backward)->Arg(1000);

void window_forward(benchmark::State& state) {
  const Tensor x = numbers({state.range(0), kWidth});
  Tensor y = Tensor::zeros({x.dim(0), 3 * kWidth});
  Context ctx;
  for (auto _ : state) ctx.run<WindowForward>(x, 1, y.view());
  count_bytes(state, x.size() + y.size());
}
BENCHMARK(window_forward)->Arg(1000);

Tensor ids_of(std::int64_t count) {
  Tensor ids = Tensor::zeros({count, 1}, DType::u64);
  for (std::int64_t i = 0; i < count; ++i) {
    ids.data<std::uint64_t>()[i] = static_cast<std::uint64_t>(i * i) * 0x9E3779B97F4A7C15U;
  }
  return ids;
}

void hash_embed_forward(benchmark::State& state) {
  const Tensor table = numbers({5000, kWidth}), ids = ids_of(state.range(0));
  Tensor rows = Tensor::zeros({ids.dim(0), 4}, DType::i32);
  Tensor y = Tensor::zeros({ids.dim(0), kWidth});
  Context ctx;
  for (auto _ : state) {
    ctx.run<HashRows>(ids, 8U, table.dim(0), rows.view());
    ctx.run<GatherSum>(table, rows, y.view());
  }
  count_bytes(state, 5 * y.size());
}
BENCHMARK(hash_embed_forward)->Arg(1000);

void hash_embed_backward(benchmark::State& state) {
  const Tensor ids = ids_of(state.range(0)), dy = numbers({ids.dim(0), kWidth});
  Tensor rows = Tensor::zeros({ids.dim(0), 4}, DType::i32), table = numbers({5000, kWidth});
  Context ctx;
  ctx.run<HashRows>(ids, 8U, table.dim(0), rows.view());
  for (auto _ : state) ctx.run<ScatterAddSum>(dy, rows, table.view());
  count_bytes(state, 9 * dy.size());
}
BENCHMARK(hash_embed_backward)->Arg(1000);

void dropout_mask(benchmark::State& state) {
  Tensor mask = Tensor::zeros({state.range(0), kWidth});
  CounterMasks masks(1, 2);
  for (auto _ : state) masks.fill("tok2vec/36/dropout", 0, 0.1, mask.view());
  count_bytes(state, mask.size());
}
BENCHMARK(dropout_mask)->Arg(1000);

void add_column_sums(benchmark::State& state) {
  const Tensor x = numbers({state.range(0), kWidth * kPieces});
  Tensor total = Tensor::zeros({x.dim(1)});
  Context ctx;
  for (auto _ : state) ctx.run<AddColumnSums>(x, total.view(), 1.0F);
  count_bytes(state, x.size());
}
BENCHMARK(add_column_sums)->Arg(1000);

void window_backward(benchmark::State& state) {
  const Tensor dy = numbers({state.range(0), 3 * kWidth});
  Tensor dx = Tensor::zeros({dy.dim(0), kWidth});
  Context ctx;
  for (auto _ : state) ctx.run<WindowBackward>(dy, 1, dx.view());
  count_bytes(state, dx.size() + dy.size());
}
BENCHMARK(window_backward)->Arg(1000);

void adam_step(benchmark::State& state) {
  const Shape shape{state.range(0), kWidth};
  Tensor w = numbers(shape), m = numbers(shape), v = Tensor::zeros(shape);
  const Tensor g = numbers(shape);
  StepScalars s;
  s.learn_rate = 0.001F, s.beta1 = 0.9F, s.beta2 = 0.999F, s.eps = 1e-8F, s.decay = 1e-5F;
  Context ctx;
  for (auto _ : state) ctx.run<AdamStep>(w.view(), g, m.view(), v.view(), s);
  count_bytes(state, 7 * w.size());
}
BENCHMARK(adam_step)->Arg(1000)->Arg(15000);

}  // namespace
}  // namespace weft

BENCHMARK_MAIN();
