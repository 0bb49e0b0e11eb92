#include "framework/parser/parser_resize.h"

#include <algorithm>
#include <string>

#include "framework/parser/parser_network.h"
#include "framework/parser/parser_network_parts.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// `from` with more rows on `axis`, the new ones zero.
Tensor grown(const Tensor& from, int axis, std::int64_t size) {
  std::int64_t dims[Shape::max_rank] = {1, 1, 1, 1};
  for (int a = 0; a < from.shape().rank(); ++a) dims[a] = a == axis ? size : from.dim(a);
  const auto [outer, inner] = AroundAxis(from, axis);
  Tensor to = Tensor::zeros({outer, size, inner});
  const std::int64_t old = from.dim(axis);
  for (std::int64_t i = 0; i < outer; ++i) {
    std::copy_n(from.data<float>() + i * old * inner, old * inner,
                to.data<float>() + i * size * inner);
  }
  switch (from.shape().rank()) {
    case 1:
      return to.reshaped({dims[0]});
    case 2:
      return to.reshaped({dims[0], dims[1]});
    default:
      return to.reshaped({dims[0], dims[1], dims[2], dims[3]});
  }
}

// f32 also where the run keeps 16 bits: weights are narrowed before the next step.
void grow(Model& node, const char* param, int axis, std::int64_t size) {
  node.set_param(param, grown(cast_to(DType::f32, node.param(param).value), axis, size));
}

}  // namespace

bool grow_parser_output(Model& parser, std::int64_t classes) {
  const bool has_upper = parser.attr("has_upper")->as_bool();
  Model& output = parser.ref(has_upper ? "upper" : "lower");
  const std::int64_t old = output.find_dim("nO").value_or(0);
  if (old == classes) return false;
  const bool has_params = static_cast<bool>(output.param("W").value);
  if (has_params && classes < old) {
    throw Error(ErrorKind::data, "the model has " + std::to_string(old) + " classes, more than " +
                                     std::to_string(classes));
  }
  // Without an upper layer the classes are the hidden numbers of the lower one, on a different axis
  // of each of its parameters. New classes start at zero and so at the same score.
  output.replace_dim("nO", classes);
  if (!has_params) return false;
  if (has_upper) {
    grow(output, "W", 0, classes);
    grow(output, "b", 0, classes);
  } else {
    grow(output, "W", 1, classes);
    grow(output, "b", 0, classes);
    grow(output, "pad", 2, classes);
  }
  return true;
}

}  // namespace weft
