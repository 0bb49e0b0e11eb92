// list2ragged.v1. Source: Thinc 8.3. A ragged array stands for Thinc's lists as well, so that there
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

ModelPtr list2ragged() {
  return std::make_shared<Model>("list2ragged", forward);
}

static const Registration registered{"layers", "list2ragged.v1", list2ragged,
                                     "documents' arrays as one ragged array"};

}  // namespace weft::layers
