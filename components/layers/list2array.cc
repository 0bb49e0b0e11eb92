// list2array.v1: the rows of all documents in one array. Source: Thinc 8.3.
#include "components/layers/layers.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward forward(Context& ctx, const Model&, const Value& input) {
  Ragged rows = as_ragged(ctx, input);
  if (!ctx.training()) return {rows.data, {}};
  return {rows.data, [lengths = rows.lengths](Context&, const Value& d_output) -> Value {
            return Ragged{as_tensor(d_output), lengths};
          }};
}

}  // namespace

ModelPtr list2array() {
  return std::make_shared<Model>("list2array", forward);
}

static const Registration registered{"layers", "list2array.v1", list2array,
                                     "the rows of all documents in one array"};

}  // namespace weft::layers
