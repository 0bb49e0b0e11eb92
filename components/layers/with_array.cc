// with_array.v1: runs a layer on the rows of all documents at once. Source: Thinc 8.3.
#include "components/layers/composition.h"
#include "components/layers/layers.h"
#include "framework/nn/model_limits.h"
#include "framework/ops/gather.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

// How documents lie in an array with padding: pad, document, pad, document ... pad.
class PaddedLayout {
 public:
  PaddedLayout(std::vector<std::int64_t> lengths, std::int64_t pad)
      : lengths_(std::move(lengths)), pad_(pad) {}

  std::int64_t rows() const {
    std::int64_t rows = pad_;
    for (const std::int64_t length : lengths_) rows += length + pad_;
    return rows;
  }

  Tensor add_padding(Context& ctx, const Tensor& plain) const {
    return gathered(ctx, plain, rows_of_padded());
  }
  Tensor remove_padding(Context& ctx, const Tensor& padded) const {
    return gathered(ctx, padded, rows_of_plain());
  }

  const std::vector<std::int64_t>& lengths() const { return lengths_; }

 private:
  // The plain row that each padded one holds, -1 for padding.
  std::vector<std::int32_t> rows_of_padded() const {
    std::vector<std::int32_t> all(static_cast<std::size_t>(rows()), -1);
    std::int32_t row = 0;
    for (const std::int32_t place : rows_of_plain()) all[static_cast<std::size_t>(place)] = row++;
    return all;
  }
  // The padded row that each plain one is in.
  std::vector<std::int32_t> rows_of_plain() const {
    std::vector<std::int32_t> all;
    std::int64_t at = pad_;
    for (const std::int64_t length : lengths_) {
      for (std::int64_t i = 0; i < length; ++i) all.push_back(static_cast<std::int32_t>(at + i));
      at += length + pad_;
    }
    return all;
  }
  static Tensor gathered(Context& ctx, const Tensor& from, const std::vector<std::int32_t>& rows) {
    const auto count = static_cast<std::int64_t>(rows.size());
    const ConstView index(ctx.placed_array(std::span<const std::int32_t>(rows)), DType::i32,
                          {count, 1});
    Tensor result = ctx.empty({count, from.dim(1)}, from.dtype());
    ctx.run<GatherRows>(from, index, result.view());
    return result;
  }

  std::vector<std::int64_t> lengths_;
  std::int64_t pad_;
};

Forward forward_plain(Context& ctx, const Model& layer, Ragged input) {
  Forward inner = layer(ctx, input.data);
  Ragged output{as_tensor(inner.output), input.lengths};
  if (!ctx.training()) return {std::move(output), {}};
  return {std::move(output),
          [backward = std::move(inner.backward), lengths = std::move(input.lengths)](
              Context& ctx, const Value& dy) -> Value {
            Value dx = backward(ctx, as_ragged(ctx, dy).data);
            if (dx.index() == 0) return dx;
            return Ragged{as_tensor(dx), lengths};
          }};
}

// Rows of zeros keep the windows of a convolution from looking into the next document. The place of
// the first row counts the padding of the documents before, so that dropout masks do not depend on
// how a batch is cut.
Forward forward_padded(Context& ctx, const Model& layer, const Ragged& input, std::int64_t pad) {
  const PaddedLayout layout(input.lengths, pad);
  const RowPlace place(ctx.pass(), ctx.pass().tokens_before() + ctx.pass().docs_before() * pad);
  Forward inner = layer(ctx, layout.add_padding(ctx, input.data));
  Ragged output{layout.remove_padding(ctx, as_tensor(inner.output)), input.lengths};
  if (!ctx.training()) return {std::move(output), {}};
  return {std::move(output),
          [backward = std::move(inner.backward), layout](Context& ctx, const Value& dy) -> Value {
            const Ragged d_output = as_ragged(ctx, dy);
            const Value dx = backward(ctx, layout.add_padding(ctx, d_output.data));
            return Ragged{layout.remove_padding(ctx, as_tensor(dx)), layout.lengths()};
          }};
}

Forward forward(Context& ctx, const Model& model, const Value& input) {
  const Model& layer = *model.layers().front();
  if (std::holds_alternative<Tensor>(input)) return layer(ctx, input);
  const std::int64_t pad = model.attr("pad")->as_integer();
  Ragged rows = as_ragged(ctx, input);
  return pad == 0 ? forward_plain(ctx, layer, std::move(rows))
                  : forward_padded(ctx, layer, rows, pad);
}

// With padding there are copies to and fro, between which there are rows more for each document.
LayerCost cost(const Model& model, double width) {
  LayerCost cost = cost_in_sequence(model, width);
  const auto pad = static_cast<double>(model.attr("pad")->as_integer());
  if (pad == 0) return cost;
  const double copies = width + cost.width;
  cost.per_document += pad * (cost.per_row + copies);
  cost.per_row += 3 * copies;
  return cost;
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  const auto rows_of = [&](const Value& sample) -> Value {
    if (sample.index() == 0 || std::holds_alternative<Tensor>(sample)) return sample;
    return as_ragged(ctx, sample).data;
  };
  Model& layer = *model.layers().front();
  layer.initialize(ctx, rows_of(input), rows_of(output), random);
  for (const char* dim : {"nO", "nI"}) take_dim_of(model, dim, layer);
}

struct WithArray {
  ModelPtr layer;
  int pad = 0;
};

template <class V>
void fields(V& v, WithArray& c) {
  v.required("layer", c.layer, "a layer on arrays");
  v("pad", c.pad, "rows of zeros before, between and behind the documents",
    closed_range(0, kMostPadding));
}

ModelPtr make(const WithArray& c) {
  return with_array(c.layer, c.pad);
}

}  // namespace

ModelPtr with_array(const ModelPtr& layer, int pad) {
  auto model = std::make_shared<Model>("with_array(" + layer->name() + ")", forward, initialize);
  model->set_path_name("with_array");
  model->layers() = {layer};
  for (const char* dim : {"nO", "nI"}) take_dim_of(*model, dim, *layer);
  model->set_fixed_attr("pad", pad);
  model->set_cost(cost);
  return model;
}

static const Registration registered{"layers", "with_array.v1", make,
                                     "runs a layer on the rows of all documents at once"};
static const Registration registered_2d{"layers", "with_array2d.v1", make,
                                        "the same; all arrays are matrices here"};

}  // namespace weft::layers
