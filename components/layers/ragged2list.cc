// ragged2list.v1. Source: Thinc 8.3. A ragged array stands for Thinc's lists as well, so that there
// is nothing to convert but lists that a layer made one by one.
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model&, const Value& input) {
  Value output = as_ragged(ctx, input);
  if (!ctx.training()) return {std::move(output), {}};
  return {std::move(output), [](Context&, const Value& dy) { return dy; }};
}

}  // namespace

ModelPtr ragged2list() {
  return std::make_shared<Model>("ragged2list", forward);
}

static const Registration registered{"layers", "ragged2list.v1", ragged2list,
                                     "documents' arrays as a list"};

}  // namespace weft::layers
