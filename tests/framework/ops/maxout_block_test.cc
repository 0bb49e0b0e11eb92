// The block ops against the ops that they stand for, one after the other.
#include "framework/ops/maxout_block.h"

#include <cmath>
#include <ostream>

#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
#include "framework/ops/gemm.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout.h"
#include "framework/ops/packed_weights.h"
#include "framework/ops/reduce.h"
#include "framework/pipeline/worker_pool.h"
#include "tests/framework/ops/backwards_tasks.h"
#include "tests/framework/ops/random_tensor.h"

namespace weft {
namespace {

// Rows of the layer and of its input x, the width of both, and the rows that a row sees.
struct Form {
  std::int64_t rows, inputs, width, seen;
  int pieces;
};

void PrintTo(const Form& form, std::ostream* out) {
  *out << form.rows << " rows that see " << form.seen << " of " << form.inputs << ", width "
       << form.width << ", " << form.pieces << " pieces";
}

// Row numbers, some of them -1.
Tensor some_rows(Shape shape, std::int64_t below, std::int64_t step) {
  Tensor numbers = Tensor::zeros(shape, DType::i32);
  for (std::int64_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t number = i * step % (below + 1);
    numbers.data<std::int32_t>()[i] = static_cast<std::int32_t>(number == below ? -1 : number);
  }
  return numbers;
}

void expect_near(const Tensor& found, const Tensor& expected, double bound, const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (std::int64_t i = 0; i < found.size(); ++i) {
    const float number = expected.data<float>()[i];
    ASSERT_NEAR(found.data<float>()[i], number, bound * (1.0 + std::abs(number)))
        << what << " " << i;
  }
}

void expect_equal(const Tensor& found, const Tensor& expected, const char* what) {
  expect_near(found, expected, 0.0, what);
}

struct Layer {
  explicit Layer(const Form& form) : f(form) {}

  Form f;
  std::int64_t outputs = f.width * f.pieces, length = f.seen * f.width;
  Tensor x = random_tensor({f.inputs, f.width}, 1);
  Tensor weights = random_tensor({outputs, length}, 2),
         bias = random_tensor({f.width, f.pieces}, 3);
  Tensor gamma = random_tensor({f.width}, 4), beta = random_tensor({f.width}, 5);
  Tensor mask = random_tensor({f.rows + 2, f.width}, 6);
  Tensor place = some_rows({f.rows}, f.rows + 2, 1),
         seen = some_rows({f.rows, f.seen}, f.inputs, 7);
  Tensor largest = Tensor::zeros({f.rows, f.width}), y = Tensor::zeros({f.rows, f.width});
  Tensor winners = Tensor::zeros({f.rows, f.width}, DType::u8);
  Tensor stats = Tensor::zeros({f.rows, 2});
  Tensor dy = random_tensor({f.rows, f.width}, 7), dx = random_tensor({f.inputs, f.width}, 8);
  Tensor d_weights = random_tensor({outputs, length}, 9), d_gamma = random_tensor({f.width}, 10);
  Tensor d_bias = random_tensor({f.width, f.pieces}, 11), d_beta = random_tensor({f.width}, 12);

  bool uninitialised_weights = false;
  const MaxoutBlockFormats* formats = nullptr;
  Tensor sums = Tensor::zeros({f.inputs, f.width});  // of dx, under formats

  MaxoutBlockLayer layer_of(const WorkSharing& sharing) const {
    return {weights.cview(), bias.cview(),  gamma.cview(), beta.cview(),
            mask.cview(),    place.cview(), seen.cview(),  sharing};
  }
  void predict(Context& ctx) {
    ctx.run<MaxoutBlockForward>(layer_of({}),
                                MaxoutBlockForward::Arrays{x, View(), View(), View(), y.view()});
  }
  void run(Context& ctx, const WorkSharing& sharing = {}) {
    MaxoutBlockLayer layer = layer_of(sharing);
    layer.formats = formats;
    ctx.run<MaxoutBlockForward>(layer, MaxoutBlockForward::Arrays{x, largest.view(), winners.view(),
                                                                  stats.view(), y.view()});
    const MaxoutBlockGradients gradients{d_weights.view(), d_bias.view(), d_gamma.view(),
                                         d_beta.view(), uninitialised_weights};
    ctx.run<MaxoutBlockBackward>(
        layer, gradients,
        MaxoutBlockBackward::Arrays{dy, x, largest, winners, stats, dx.view(), sums.view()});
  }

  // The same by the ops of the layers.
  void run_parts(Context& ctx) {
    Tensor windows = Tensor::zeros({f.rows * f.seen, f.width}),
           z = Tensor::zeros({f.rows, outputs});
    const Tensor all_seen = seen.reshaped({f.rows * f.seen});
    ctx.run<GatherRows>(x, all_seen, windows.view());
    const Tensor rows = windows.reshaped({f.rows, length});
    ctx.run<Affine>(rows, weights, bias.reshaped({outputs}), z.view());
    const Tensor pieces = z.reshaped({f.rows, f.width, f.pieces});
    ctx.run<MaxoutForward>(pieces, largest.view(), winners.view());
    ctx.run<LayerNormForward>(largest, gamma, beta, y.view(), stats.view());
    Tensor masks = Tensor::zeros({f.rows, f.width}), added = Tensor::zeros({f.rows, f.width});
    ctx.run<GatherRows>(mask, place, masks.view());
    ctx.run<MultiplyInPlace>(y.view(), masks);
    ctx.run<GatherRows>(x, middle(), added.view());
    ctx.run<AddInPlace>(y.view(), added);
    go_back(ctx, masks, rows);
  }

 private:
  void go_back(Context& ctx, const Tensor& masks, const Tensor& rows) {
    Tensor dropped = dy.clone(), d_largest = Tensor::zeros({f.rows, f.width});
    ctx.run<MultiplyInPlace>(dropped.view(), masks);
    ctx.run<LayerNormBackward>(dropped, largest, stats, gamma, d_largest.view(), d_gamma.view(),
                               d_beta.view());
    Tensor d_pieces = Tensor::zeros({f.rows, f.width, f.pieces});
    ctx.run<MaxoutBackward>(d_largest, winners, d_pieces.view());
    const Tensor dz = d_pieces.reshaped({f.rows, outputs});
    ctx.run<AddColumnSums>(dz, d_bias.reshaped({outputs}).view(), 1.0F);
    ctx.run<Gemm>(dz, Transpose::yes, rows, Transpose::no, d_weights.view(), 1.0F);
    Tensor d_rows = Tensor::zeros({f.rows, length});
    ctx.run<Gemm>(dz, Transpose::no, weights, Transpose::no, d_rows.view(), 0.0F);
    dx = Tensor::zeros({f.inputs, f.width});
    add_rows(dy, middle());
    add_rows(d_rows, seen);
  }
  // Adds row i of `rows`, of this width, to row numbers[i] of dx.
  void add_rows(const Tensor& rows, const Tensor& numbers) {
    for (std::int64_t i = 0; i < numbers.size(); ++i) {
      const std::int32_t to = numbers.data<std::int32_t>()[i];
      for (std::int64_t j = 0; j < f.width && to >= 0; ++j) {
        dx.data<float>()[to * f.width + j] += rows.data<float>()[i * f.width + j];
      }
    }
  }
  // Row numbers in the middle of those that are seen.
  Tensor middle() const {
    Tensor numbers = Tensor::zeros({f.rows}, DType::i32);
    for (std::int64_t i = 0; i < f.rows; ++i) {
      numbers.data<std::int32_t>()[i] = seen.data<std::int32_t>()[i * f.seen + f.seen / 2];
    }
    return numbers;
  }
};

void expect_same_bytes(const Layer& found, const Layer& expected) {
  expect_equal(found.y, expected.y, "y");
  expect_equal(found.dx, expected.dx, "dx");
  expect_equal(found.d_weights, expected.d_weights, "weights");
  expect_equal(found.d_bias, expected.d_bias, "bias");
  expect_equal(found.d_gamma, expected.d_gamma, "gamma");
  expect_equal(found.d_beta, expected.d_beta, "beta");
}

class MaxoutBlock : public testing::TestWithParam<Form> {};

TEST_P(MaxoutBlock, GivesWhatItsPartsGive) {
  Layer block(GetParam()), parts(GetParam());
  Context ctx;
  block.run(ctx);
  parts.run_parts(ctx);
  const double bound = 1e-5 * static_cast<double>(block.length);
  expect_near(block.largest, parts.largest, 1e-5, "largest");
  expect_near(block.y, parts.y, 1e-4, "y");
  expect_near(block.dx, parts.dx, bound, "dx");
  expect_near(block.d_weights, parts.d_weights, bound, "weights");
  expect_near(block.d_bias, parts.d_bias, bound, "bias");
  expect_near(block.d_gamma, parts.d_gamma, bound, "gamma");
  expect_near(block.d_beta, parts.d_beta, bound, "beta");
}

TEST_P(MaxoutBlock, ThreadsAndPackedWeightsChangeNothing) {
  Layer alone(GetParam()), shared(GetParam());
  Context ctx;
  WorkerPool pool(3);
  const TaskRunner tasks = [&](std::size_t count, const std::function<void(std::size_t)>& task) {
    pool.run(count, task);
  };
  PackedWeights packed;
  alone.run(ctx);
  shared.run(ctx, {&tasks, &packed});
  expect_same_bytes(shared, alone);
}

// Under a policy sums go on over all rows in order, whichever thread runs the GEMMs.
TEST_P(MaxoutBlock, TasksInAnotherOrderChangeNothingUnderFormats) {
  Layer alone(GetParam()), shared(GetParam());
  constexpr NumberFormat kLow = NumberFormat::bf16;
  const MaxoutBlockFormats formats{.factors = kLow, .d_largest = kLow, .d_rows = kLow};
  alone.formats = shared.formats = &formats;
  Context ctx;
  BackwardsTasks tasks;
  alone.run(ctx);
  shared.run(ctx, {.tasks = &tasks.runner});
  expect_same_bytes(shared, alone);
}

TEST_P(MaxoutBlock, WithNothingKeptForTheWayBackTheOutputIsTheSame) {
  Layer kept(GetParam()), forward(GetParam());
  Context ctx;
  kept.run(ctx);
  forward.predict(ctx);
  expect_equal(forward.y, kept.y, "y");
}

TEST_P(MaxoutBlock, AFreshGradientIsWritten) {
  Layer fresh(GetParam()), zeros(GetParam());
  fresh.uninitialised_weights = true;
  zeros.d_weights = Tensor::zeros(zeros.d_weights.shape());
  Context ctx;
  fresh.run(ctx);
  zeros.run(ctx);
  expect_same_bytes(fresh, zeros);
}

// On tiles and off them, rows of which tiles are not made directly, blocks and chunks cut at all
// kinds of places, a single row, none.
INSTANTIATE_TEST_SUITE_P(Forms, MaxoutBlock,
                         testing::Values(Form{4, 6, 37, 3, 3}, Form{100, 90, 32, 3, 3},
                                         Form{131, 140, 96, 3, 3}, Form{65, 65, 52, 3, 2},
                                         Form{700, 350, 32, 3, 2}, Form{30, 20, 64, 1, 1},
                                         Form{50, 40, 32, 5, 3}, Form{1, 1, 64, 3, 5},
                                         Form{129, 20, 8, 5, 2}, Form{0, 3, 64, 3, 3}));

TEST(MaxoutBlockOp, WeightsThatChangeArePackedAnew) {
  Layer first({40, 40, 64, 3, 3}), second({40, 40, 64, 3, 3});
  Context ctx;
  PackedWeights packed;
  first.run(ctx, {nullptr, &packed});
  for (Layer* layer : {&first, &second}) {
    for (std::int64_t i = 0; i < layer->weights.size(); ++i)
      layer->weights.data<float>()[i] += 1.0F;
  }
  packed.forget();
  first.run(ctx, {nullptr, &packed});
  second.run(ctx);
  expect_equal(first.y, second.y, "y");
  expect_equal(first.dx, second.dx, "dx");
}

TEST(MaxoutBlockOp, WithoutRowsSeenTheInputIsTakenAsItIs) {
  const Tensor x = random_tensor({70, 100}, 1), weights = random_tensor({96, 100}, 2);
  const Tensor bias = random_tensor({48, 2}, 3), gamma = random_tensor({48}, 4);
  const Tensor beta = random_tensor({48}, 5), dy = random_tensor({70, 48}, 6);
  const MaxoutBlockLayer layer{
      weights.cview(), bias.cview(), gamma.cview(), beta.cview(), {}, {}, {}, {}};
  Tensor largest = Tensor::zeros({70, 48}), y = largest.clone(), stats = Tensor::zeros({70, 2});
  Tensor winners = Tensor::zeros({70, 48}, DType::u8);
  Context ctx;
  ctx.run<MaxoutBlockForward>(
      layer, MaxoutBlockForward::Arrays{x, largest.view(), winners.view(), stats.view(), y.view()});
  Tensor expected = Tensor::zeros({70, 48}), stats_of_parts = Tensor::zeros({70, 2});
  ctx.run<LayerNormForward>(largest, gamma, beta, expected.view(), stats_of_parts.view());
  expect_equal(y, expected, "y");
  Tensor d_weights = Tensor::zeros({96, 100}), d_bias = Tensor::zeros({48, 2});
  Tensor d_gamma = Tensor::zeros({48}), d_beta = Tensor::zeros({48}),
         dx = random_tensor({70, 100}, 7);
  ctx.run<MaxoutBlockBackward>(
      layer, MaxoutBlockGradients{d_weights.view(), d_bias.view(), d_gamma.view(), d_beta.view()},
      MaxoutBlockBackward::Arrays{dy, x, largest, winners, stats, dx.view(), {}});
  Tensor d_largest = Tensor::zeros({70, 48}), dz = Tensor::zeros({70, 48, 2});
  Tensor other_gain = Tensor::zeros({48}), other_bias = Tensor::zeros({48});
  ctx.run<LayerNormBackward>(dy, largest, stats, gamma, d_largest.view(), other_gain.view(),
                             other_bias.view());
  ctx.run<MaxoutBackward>(d_largest, winners, dz.view());
  Tensor d_inputs = Tensor::zeros({70, 100});
  ctx.run<Gemm>(dz.reshaped({70, 96}), Transpose::no, weights, Transpose::no, d_inputs.view(),
                0.0F);
  expect_near(dx, d_inputs, 1e-5, "dx");
}

}  // namespace
}  // namespace weft
