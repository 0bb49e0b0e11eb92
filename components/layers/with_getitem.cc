// with_getitem.v1: a layer on one array of a list. Source: Thinc 8.3.
#include <fmt/format.h>

#include "components/layers/composition.h"
#include "components/layers/span_layers.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

constexpr int kMostArrays = 1024;  // of a list

const Tensor& item_of(const TensorList& list, std::size_t index) {
  if (index < list.size()) return list[index];
  throw Error(ErrorKind::data,
              fmt::format("with_getitem takes number {} of a list of {}", index, list.size()));
}

// The list with that array in the place of the one it had.
Value with_item(TensorList list, std::size_t index, const Value& item) {
  if (item.index() == 0) return list;
  list[index] = as_tensor(item);
  return list;
}

Forward forward(Context& ctx, const Model& model, const Value& input) {
  const Model& layer = *model.layers().front();
  const auto* list = std::get_if<TensorList>(&input);
  if (list == nullptr) return layer(ctx, input);
  const auto index = static_cast<std::size_t>(model.attr("idx")->as_integer());
  Forward inner = layer(ctx, item_of(*list, index));
  Value output = with_item(*list, index, inner.output);
  if (!ctx.training()) return {std::move(output), {}};
  return {std::move(output),
          [index, backward = std::move(inner.backward)](Context& ctx, const Value& dy) {
            const auto& gradients = std::get<TensorList>(dy);
            return with_item(gradients, index, backward(ctx, item_of(gradients, index)));
          }};
}

void initialize(Context& ctx, Model& model, const Value& input, const Value& output,
                InitRandom& random) {
  const auto index = static_cast<std::size_t>(model.attr("idx")->as_integer());
  const auto item = [&](const Value& sample) -> Value {
    const auto* list = std::get_if<TensorList>(&sample);
    return list == nullptr ? sample : Value(item_of(*list, index));
  };
  model.layers().front()->initialize(ctx, item(input), item(output), random);
}

struct Settings {
  int idx = 0;
  ModelPtr layer;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("idx", c.idx, "the number of the array, from 0", closed_range(0, kMostArrays));
  v.required("layer", c.layer, "the layer");
}

ModelPtr make(const Settings& c) {
  return with_getitem(c.idx, c.layer);
}

}  // namespace

ModelPtr with_getitem(int index, const ModelPtr& layer) {
  auto model = std::make_shared<Model>("with_getitem(" + layer->name() + ")", forward, initialize);
  model->set_path_name("with_getitem");
  model->layers() = {layer};
  model->set_fixed_attr("idx", index);
  return model;
}

static const Registration registered{"layers", "with_getitem.v1", make,
                                     "runs a layer on one array of a list"};

}  // namespace weft::layers
