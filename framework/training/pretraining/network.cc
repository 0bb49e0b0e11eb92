#include "framework/training/pretraining/network.h"

#include <algorithm>
#include <utility>

#include "framework/ops/context.h"
#include "framework/pipeline/shape_sample.h"
#include "framework/pipeline/slots.h"
#include "framework/precision/element_type.h"
#include "framework/text/example.h"

namespace weft {
namespace {

std::int64_t tokens_in(std::span<const Doc* const> docs) {
  std::int64_t tokens = 0;
  for (const Doc* doc : docs) tokens += doc->size();
  return tokens;
}

// One part, then the other; sizes come from the sample.
ModelPtr joined(const ModelPtr& embedding, const ModelPtr& head) {
  const auto forward = [](Context& ctx, const Model& model, const Value& input) -> Forward {
    Forward first = (*model.layers().front())(ctx, input);
    Forward second = (*model.layers().back())(ctx, first.output);
    if (!ctx.training()) return {std::move(second.output), {}};
    return {std::move(second.output),
            [first = std::move(first.backward), second = std::move(second.backward)](
                Context& ctx, const Value& d) { return first(ctx, second(ctx, d)); }};
  };
  auto whole = std::make_shared<Model>(embedding->name() + ">>" + head->name(), forward);
  whole->set_path_name("chain");
  whole->layers() = {embedding, head};
  return whole;
}

// Tokens that are not masked teach nothing.
void keep_masked(Tensor& d, std::span<const std::uint8_t> masked, float scale) {
  const std::int64_t width = d.dim(1);
  auto* row = d.data<float>();
  for (const std::uint8_t is_masked : masked) {
    const float factor = is_masked != 0 ? scale : 0.0F;
    std::transform(row, row + width, row, [factor](float x) { return x * factor; });
    row += width;
  }
}

}  // namespace

PretrainNetwork::PretrainNetwork(ModelPtr embedding, ModelPtr head, PretrainObjectivePtr objective)
    : embedding_(std::move(embedding)),
      head_(std::move(head)),
      whole_(joined(embedding_, head_)),
      objective_(std::move(objective)) {}

void PretrainNetwork::initialize(InitContext& init) {
  const ShapeSample sample = shape_sample(init.sample, ExampleSide::predicted);
  whole_->initialize(init.ctx, DocBatch(sample.docs), {}, init.random);
}

// It annotates nothing.
void PretrainNetwork::predict(Context&, std::span<Doc* const>, Slots&) const {}

void PretrainNetwork::update(ShardUpdate& shard) const {
  const Shard& range = shard.batch.shards[shard.shard];
  const std::span<const Doc* const> all(batch_->originals);
  const auto originals = all.subspan(range.begin, range.end - range.begin);
  const std::int64_t tokens = tokens_in(originals);
  if (tokens == 0) return;
  std::vector<const Doc*> docs;
  for (const Example* example : shard.examples) docs.push_back(&example->predicted());
  Context& ctx = shard.ctx;
  const Forward forward = (*whole_)(ctx, DocBatch(docs));
  const Tensor prediction = cast_to(DType::f32, ctx.on_host(as_tensor(forward.output)));
  Tensor d = ctx.host_array(prediction.shape());
  shard.losses[name()] += objective_->loss(originals, prediction, tokens_in(all), d);
  const auto before = static_cast<std::size_t>(tokens_in(all.first(range.begin)));
  keep_masked(d, std::span(batch_->masked).subspan(before, static_cast<std::size_t>(tokens)),
              ctx.pass().loss_scale());
  forward.backward(ctx, ctx.placed(d));
}

double PretrainNetwork::loss(Context& ctx, DocBatch docs, DocBatch originals,
                             std::int64_t all_tokens) const {
  if (tokens_in(originals) == 0) return 0.0;
  const Value output = whole_->predict(ctx, docs);
  const Tensor prediction = cast_to(DType::f32, ctx.on_host(as_tensor(output)));
  Tensor d = ctx.host_array(prediction.shape());
  return objective_->loss(originals, prediction, all_tokens, d);
}

}  // namespace weft
