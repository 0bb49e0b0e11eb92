// SparseLinear.v1 and v2: a linear layer over counted keys, hashed to places of its weights.
// Source: Thinc 8.3; docs/text-classification.md, section 2.
#include "framework/ops/sparse_linear.h"

#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "components/layers/layers.h"
#include "framework/nn/add_gradient.h"
#include "framework/nn/gradients.h"
#include "framework/nn/model_limits.h"
#include "framework/nn/row_gradient_block.h"
#include "framework/nn/shape_inference.h"
#include "framework/ops/reduce.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

constexpr std::int64_t kLongest = std::int64_t{1} << 30;

// Three arrays: the keys of all documents, how often each occurs, and how many keys each document
// has.
SparseRows rows_of(const TensorList& list) {
  if (list.size() != 3) throw Error(ErrorKind::internal, "counted keys are three arrays");
  const auto documents = static_cast<std::size_t>(list[2].size());
  return {{list[2].data<std::int64_t>(), documents},
          list[0].data<std::uint64_t>(),
          list[1].data<std::int32_t>()};
}

const TensorList& list_of(const Value& input) {
  if (const auto* list = std::get_if<TensorList>(&input)) return *list;
  throw Error(ErrorKind::internal, "a sparse linear layer expects counted keys");
}

// A model file brings any weights: they are looked at before they are used.
SparseLayout layout_of(const Model& model, bool side_by_side) {
  const SparseLayout layout{model.param("b").value.size(), model.dim("length"), side_by_side};
  const std::int64_t weights = model.param("W").value.size();
  if (weights != layout.classes * layout.length) {
    throw Error(ErrorKind::data,
                fmt::format("layer {}: {} weights are not {} classes times {} places", model.name(),
                            weights, layout.classes, layout.length));
  }
  return layout;
}

// Where the gradient of each product lies among the blocks of the weights that are kept: for each
// key, each of its places, each class.
struct GradientPlaces {
  Tensor places;
  View gradient;  // the blocks as one row
};

GradientPlaces gradient_places(Context& ctx, const Parameter& weights, const SparseLayout& layout,
                               const Tensor& keys) {
  const std::int64_t count = keys.size() * kSparsePlaces * layout.classes;
  Tensor places = ctx.empty({count}, DType::i32);
  auto* place = places.data<std::int32_t>();
  for (std::int64_t k = 0; k < keys.size(); ++k) {
    for (std::uint32_t seed = 0; seed < kSparsePlaces; ++seed) {
      const std::int64_t first = layout.first(keys.data<std::uint64_t>()[k], seed);
      for (std::int64_t c = 0; c < layout.classes; ++c) {
        *place++ = static_cast<std::int32_t>(first + c * layout.step());
      }
    }
  }
  Gradients& gradients = ctx.gradients();
  // For every number of classes: blocks stay the same where some are added.
  const bool by_blocks = gradients.keeps_rows() && layout.length % kRowGradientBlock == 0;
  if (!by_blocks) return {places, gradients.of(weights).view()};
  RowGradient& rows = gradients.rows_of(weights);
  const auto width = static_cast<std::int32_t>(kRowGradientBlock);
  std::vector<std::int32_t> blocks(static_cast<std::size_t>(count));
  place = places.data<std::int32_t>();
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = place[i] / width;
  const View values = rows.touch(blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) place[i] = blocks[i] * width + place[i] % width;
  return {places, View(values.data, values.dtype, {1, values.size()})};
}

// Keys are counts of the text, so nothing flows further back. The places are computed anew: kept
// from the forward pass they would take memory for every key and class.
Value backward(Context& ctx, const Model& model, const SparseLayout& layout,
               const TensorList& input, const Tensor& dy) {
  add_bias_gradient(ctx, model.param("b"), dy);
  if (input[0].size() == 0) return {};
  const GradientPlaces to = gradient_places(ctx, model.param("W"), layout, input[0]);
  ctx.run<SparseLinearBackward>(rows_of(input), dy, to.places, to.gradient);
  return {};
}

Forward forward(Context& ctx, const Model& model, bool side_by_side, const Value& value) {
  const TensorList& input = list_of(value);
  const SparseLayout layout = layout_of(model, side_by_side);
  const SparseRows rows = rows_of(input);
  const Tensor &w = model.param("W").value, &b = model.param("b").value;
  const auto documents = static_cast<std::int64_t>(rows.lengths.size());
  Tensor y = ctx.result<SparseLinearForward>({documents, layout.classes}, w, b);
  ctx.run<SparseLinearForward>(layout, rows, w, b, y.view());
  if (!ctx.training()) return {y, {}};
  return {y, [&model, layout, input](Context& ctx, const Value& dy) {
            return backward(ctx, model, layout, input, as_tensor(dy));
          }};
}

// Places and blocks of the gradient, for each key.
LayerCost cost(const Model& model, double width) {
  const double classes = size_or(model, "nO", 1);
  return {.per_row = width * kSparsePlaces * classes * 2,
          .per_document = 2 * classes,
          .width = classes};
}

// Weights start at 0: a linear layer has no symmetry to break. Places are 32-bit numbers, which
// bounds the weights.
void initialize(Context& ctx, Model& model, const Value&, const Value& output, InitRandom& random) {
  ctx.require<SparseLinearForward>();
  ctx.require<SparseLinearBackward>();
  ctx.require<AddColumnSums>();
  infer_dim(model, "nO", output);
  const std::int64_t outputs = known_dim(model, "nO"), length = model.dim("length");
  if (outputs > std::numeric_limits<std::int32_t>::max() / length) {
    throw Error(ErrorKind::config,
                fmt::format("{} classes times {} places are more weights than 2^31; choose a "
                            "smaller length",
                            outputs, length));
  }
  init_param(model, "W", {outputs * length}, zero_init(), random);
  init_param(model, "b", {outputs}, zero_init(), random);
}

struct SparseLinear {
  Size outputs;
  std::int64_t length = 262144;
};

template <class V>
void fields(V& v, SparseLinear& c) {
  v("nO", c.outputs, "number of classes; null: from the data", closed_range(1, kWidest));
  v("length", c.length, "places of each class", closed_range(1, kLongest));
}

ModelPtr make_v1(const SparseLinear& c) {
  if ((c.length & (c.length - 1)) != 0) {
    throw Error(ErrorKind::config,
                fmt::format("length {} is not a power of two, which version 1 needs", c.length));
  }
  return sparse_linear(c.outputs, c.length, true);
}

ModelPtr make(const SparseLinear& c) {
  return sparse_linear(c.outputs, c.length);
}

}  // namespace

ModelPtr sparse_linear(Size outputs, std::int64_t length, bool v1_indexing) {
  const auto run = [v1_indexing](Context& ctx, const Model& model, const Value& input) {
    return forward(ctx, model, v1_indexing, input);
  };
  auto model = std::make_shared<Model>("sparse_linear", run, initialize);
  declare_dim(*model, "nO", outputs);
  declare_dim(*model, "length", length);
  model->declare_param("W").is_table = true;
  model->declare_param("b", {"nO"});
  model->set_attr("v1_indexing", v1_indexing);
  model->set_cost(cost);
  return model;
}

static const Registration registered{"layers", "SparseLinear.v2", make,
                                     "a linear layer over counted keys"};
static const Registration registered_v1{"layers", "SparseLinear.v1", make_v1,
                                        "the same; the classes of a key lie side by side"};

}  // namespace weft::layers
