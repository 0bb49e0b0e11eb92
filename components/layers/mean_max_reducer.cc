// spacy.mean_max_reducer.v1: one vector for each span. Source: spaCy 3.8. Of spans that are not
// extracted yet the four pools are computed at once, where the token vectors lie.
#include "components/layers/reduce.h"
#include "components/layers/span_layers.h"
#include "framework/nn/model_limits.h"
#include "framework/ops/span_pool.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

Forward pool_spans(Context& ctx, const Tensor& x, const Tensor& spans) {
  Tensor y = ctx.empty({spans.dim(0), 4 * x.dim(1)});
  Tensor winners = ctx.empty({spans.dim(0), x.dim(1)}, DType::i32);
  ctx.run<SpanPoolForward>(x, spans, y.view(), winners.view());
  if (!ctx.training()) return {std::move(y), {}};
  return {std::move(y), [x, spans, winners](Context& ctx, const Value& dy) -> Value {
            Tensor dx = ctx.empty(x.shape());
            ctx.run<SpanPoolBackward>(as_tensor(dy), spans, winners, dx.view());
            return TensorList{dx, spans};
          }};
}

// The forward function of the pools. A type of its own, by which reduces_spans knows them.
struct SpanPools {
  Model::ForwardFn one_by_one;

  Forward operator()(Context& ctx, const Model& model, const Value& input) const {
    const auto* list = std::get_if<TensorList>(&input);
    const bool at_once = list != nullptr && list->size() == 2 && (*list)[1].dtype() == DType::i32;
    return at_once ? pool_spans(ctx, (*list)[0], (*list)[1]) : one_by_one(ctx, model, input);
  }
};

struct Settings {
  int hidden_size = 0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("hidden_size", c.hidden_size, "width of a span's vector", closed_range(1, kWidest));
}

ModelPtr make(const Settings& c) {
  return mean_max_reducer(c.hidden_size);
}

}  // namespace

ModelPtr mean_max_reducer(std::int64_t hidden) {
  const ModelPtr pools =
      concatenate({reduce("reduce_last", Pool::last), reduce("reduce_first", Pool::first),
                   reduce("reduce_mean", Pool::mean), reduce("reduce_max", Pool::max)});
  pools->set_forward(SpanPools{pools->forward_function()});
  return chain({pools, maxout({.outputs = hidden, .dropout = 0.0, .normalize = true})});
}

bool reduces_spans(const Context& ctx, const Model& layer) {
  if (!ctx.has<SpanPoolForward>() || ctx.tells_layers_apart() || layer.layers().empty()) {
    return false;
  }
  return layer.layers().front()->forward_function().target<SpanPools>() != nullptr;
}

static const Registration registered{"layers", "spacy.mean_max_reducer.v1", make,
                                     "one vector for each span"};

}  // namespace weft::layers
