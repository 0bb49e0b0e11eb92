#include "components/pipes/text_categorizer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "components/pipes/category_annotation.h"
#include "components/pipes/category_loss.h"
#include "components/scorers/category_scores.h"
#include "framework/pipeline/rehearsal_loss.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {

TextCategorizer::TextCategorizer(TextCategorizerSettings settings)
    : settings_(std::move(settings)) {}

Tensor TextCategorizer::checked_scores(Context& ctx, const Value& output) const {
  Tensor scores = cast_to(DType::f32, ctx.on_host(as_tensor(output)));
  if (scores.shape().rank() == 2 && std::cmp_equal(scores.dim(1), labels_.size())) return scores;
  throw Error(ErrorKind::data,
              fmt::format("component '{}': the model gives arrays {} where there are {} labels",
                          name(), scores.shape().str(), labels_.size()));
}

void TextCategorizer::predict(Context& ctx, std::span<Doc* const> docs, Slots&) const {
  const bool empty = std::all_of(docs.begin(), docs.end(), [](Doc* doc) { return doc->empty(); });
  Tensor scores;
  if (!empty) {
    const std::vector<const Doc*> inputs(docs.begin(), docs.end());
    scores = checked_scores(ctx, settings_.model->predict(ctx, DocBatch(inputs)));
  }
  const float* score = empty ? nullptr : scores.data<float>();
  for (Doc* doc : docs) {
    std::vector<TextCategory> cats = doc->cats();
    for (const std::string& label : labels_.names()) {
      cats.push_back({label, empty ? 0.0 : double{*score++}});
    }
    doc->set_cats(std::move(cats));
  }
}

void TextCategorizer::begin_batch(Batch& batch) {
  has_tokens_ = std::any_of(batch.examples.begin(), batch.examples.end(),
                            [](const Example* example) { return example->size() > 0; });
}

void TextCategorizer::update(ShardUpdate& shard) const {
  if (!has_tokens_) return;
  std::vector<const Doc*> docs;
  std::vector<float> truth;
  for (const Example* example : shard.examples) {
    docs.push_back(&example->predicted());
    const std::vector<float> row = category_truth(*example, labels_, settings_.exclusive);
    truth.insert(truth.end(), row.begin(), row.end());
  }
  const Forward forward = (*settings_.model)(shard.ctx, DocBatch(docs));
  const Tensor scores = checked_scores(shard.ctx, forward.output);
  const CategoryLoss loss = category_loss(shard.ctx, scores, truth, settings_.exclusive);
  const auto numbers = static_cast<double>(shard.batch.examples.size() * labels_.size());
  shard.losses[name()] += loss.sum / numbers;
  forward.backward(shard.ctx, loss.d_scores);
}

void TextCategorizer::rehearse(ShardUpdate& shard, const TutorPass& tutor) const {
  double& loss = shard.losses[name()];
  std::vector<const Doc*> docs;
  bool any = false;
  for (const Example* example : shard.examples) {
    docs.push_back(&example->predicted());
    any = any || example->size() > 0;
  }
  if (!any) return;
  Context& ctx = shard.ctx;
  const auto numbers = [&](const Value& output) {
    return cast_to(DType::f32, ctx.on_host(as_tensor(output)));
  };
  Tensor wanted;
  {
    const TutorPass::Scope scope(ctx, tutor);
    const Model& model = *tutor.component().models().front();
    wanted = numbers(model(ctx, DocBatch(docs)).output);
  }
  const Forward forward = (*settings_.model)(ctx, DocBatch(docs));
  const Tensor found = numbers(forward.output);
  Tensor d = ctx.host_array(found.shape());
  loss += settings_.exclusive ? rehearsal_loss(found, wanted, 1.0, d.view())
                              : rehearsal_difference(found, wanted, 1.0, d.view());
  const float factor = tutor.weight() * ctx.pass().loss_scale();
  for (std::int64_t i = 0; i < d.size(); ++i) d.data<float>()[i] *= factor;
  forward.backward(ctx, ctx.placed(d));
}

ScoreSessionPtr TextCategorizer::start_scores() const {
  const CategoryScoring scoring{labels_.names(), settings_.threshold, positive_label_};
  return start_session(CategoryScorer::configured(settings_.scorer, scoring), *this, cfg());
}

const AnnotationKind* TextCategorizer::annotation() const {
  return &category_annotation(settings_.exclusive);
}

}  // namespace weft
