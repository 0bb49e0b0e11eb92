#include "framework/nn/shape_inference.h"

#include <string>

#include <fmt/format.h>

#include "framework/nn/model_limits.h"
#include "registry/base/error.h"

namespace weft {

std::optional<std::int64_t> width_of(const Value& sample) {
  const auto width = [](const Tensor& tensor) -> std::optional<std::int64_t> {
    if (tensor.shape().rank() == 0) return std::nullopt;
    return tensor.cview().cols();
  };
  if (const auto* tensor = std::get_if<Tensor>(&sample)) return width(*tensor);
  if (const auto* ragged = std::get_if<Ragged>(&sample)) return width(ragged->data);
  if (const auto* list = std::get_if<TensorList>(&sample)) {
    if (!list->empty()) return width(list->front());
  }
  return std::nullopt;
}

void declare_dim(Model& model, std::string_view dim, std::optional<std::int64_t> size) {
  model.declare_dim(dim);
  if (size) model.set_dim(dim, *size);
}

void infer_dim(Model& model, std::string_view dim, const Value& sample) {
  if (const auto width = width_of(sample)) model.set_dim(dim, *width);
}

std::int64_t known_dim(const Model& model, std::string_view dim) {
  const auto size = model.find_dim(dim);
  if (!size) {
    throw Error(ErrorKind::config, "the size " + std::string(dim) + " of layer " + model.name() +
                                       " is neither given nor known from the data");
  }
  return *size;
}

void init_param(Model& model, std::string_view name, Shape shape, const Initializer& initializer,
                InitRandom& random) {
  const RandomStream stream = random.next();
  if (model.declare_param(name).value) return;
  const std::int64_t most = most_parameters();
  if (shape.size() > most) {
    throw Error(ErrorKind::config,
                fmt::format("parameter {} of layer {} would hold {} numbers; there are at most {}, "
                            "unless WEFT_MAX_PARAMETERS says more",
                            name, model.name(), shape.size(), most));
  }
  Tensor value = Tensor::zeros(shape);
  initializer.fill(stream, value.view());
  model.set_param(name, std::move(value));
}

}  // namespace weft
