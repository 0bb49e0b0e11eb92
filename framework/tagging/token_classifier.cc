#include "framework/tagging/token_classifier.h"

#include <algorithm>
#include <utility>

#include "framework/pipeline/rehearsal_loss.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/precision/element_type.h"
#include "framework/tensor/highest.h"
#include "framework/text/predicted_docs.h"
#include "registry/base/error.h"

namespace weft {

namespace {

template <class Docs>
std::int64_t tokens_in(const Docs& docs) {
  std::int64_t tokens = 0;
  for (const auto& doc : docs) tokens += doc->size();
  return tokens;
}

Tensor rows_of(Context& ctx, const Value& value) {
  const auto* tensor = std::get_if<Tensor>(&value);
  return tensor != nullptr ? *tensor : as_ragged(ctx, value).data;
}

}  // namespace

TokenClassifier::TokenClassifier(Network network) : network_(std::move(network)) {}

// All documents go through the network at once; each then gets its rows of the scores.
void TokenClassifier::predict(Context& ctx, std::span<Doc* const> docs, Slots&) const {
  if (tokens_in(docs) == 0) return;
  const std::vector<const Doc*> inputs(docs.begin(), docs.end());
  const Value output = network_.model->predict(ctx, DocBatch(inputs));
  const Tensor scores = cast_to(DType::f32, ctx.on_host(rows_of(ctx, output)));
  if (scores.dim(1) != class_count()) {
    throw Error(ErrorKind::internal, "the model of '" + name() + "' gives " +
                                         std::to_string(scores.dim(1)) + " scores for " +
                                         std::to_string(class_count()) + " classes");
  }
  std::int64_t first = 0;
  for (Doc* doc : docs) {
    if (!doc->empty()) annotate(*doc, scores.cview().slice(first, doc->size()));
    first += doc->size();
  }
}

// Once for a batch, before its shards run on several threads.
void TokenClassifier::begin_batch(Batch& batch) {
  const bool has_tokens = std::any_of(batch.examples.begin(), batch.examples.end(),
                                      [](const Example* example) { return example->size() > 0; });
  if (!has_tokens) return;
  check_smoothing();
  if (class_count() == 0) {
    throw Error(ErrorKind::usage, "component '" + name() + "' has no classes to learn");
  }
}

// The loss and its gradient are computed on the host in f32, whatever formats the network computes
// in. Documents without tokens have no rows and no gradient.
void TokenClassifier::update(ShardUpdate& shard) const {
  const std::vector<const Doc*> docs = predicted_docs(shard.examples);
  double& loss = shard.losses[name()];
  if (tokens_in(docs) == 0) return;
  std::vector<GoldClass> gold;
  try {
    for (const Example* example : shard.examples) append_gold(*example, gold);
  } catch (const Error& error) {
    throw_named(error);
  }
  Context& ctx = shard.ctx;
  const Forward forward = (*network_.model)(ctx, DocBatch(docs));
  const Tensor probabilities = cast_to(DType::f32, ctx.on_host(rows_of(ctx, forward.output)));
  Tensor d = ctx.host_array(probabilities.shape());
  loss += class_loss(probabilities, gold, network_.label_smoothing, d.view());
  if (const float scale = ctx.pass().loss_scale(); scale != 1.0F) {
    for (std::int64_t i = 0; i < d.size(); ++i) d.data<float>()[i] *= scale;
  }
  Ragged d_scores{ctx.placed(d), {}};
  for (const Doc* doc : docs) d_scores.lengths.push_back(doc->size());
  forward.backward(ctx, d_scores);
}

// Both sides are probabilities of the classes that the tutor knows.
void TokenClassifier::rehearse(ShardUpdate& shard, const TutorPass& tutor) const {
  const std::vector<const Doc*> docs = predicted_docs(shard.examples);
  double& loss = shard.losses[name()];
  if (tokens_in(docs) == 0) return;
  Context& ctx = shard.ctx;
  const auto probabilities = [&](const Value& output) {
    return cast_to(DType::f32, ctx.on_host(rows_of(ctx, output)));
  };
  Tensor wanted;
  {
    const TutorPass::Scope scope(ctx, tutor);
    const Model& model = *tutor.component().models().front();
    wanted = probabilities(model(ctx, DocBatch(docs)).output);
  }
  const Forward forward = (*network_.model)(ctx, DocBatch(docs));
  const Tensor found = probabilities(forward.output);
  Tensor d = ctx.host_array(found.shape());
  const auto documents = static_cast<double>(shard.batch.examples.size());
  loss += rehearsal_loss(found, wanted, documents, d.view());
  const float factor = tutor.weight() * ctx.pass().loss_scale();
  for (std::int64_t i = 0; i < d.size(); ++i) d.data<float>()[i] *= factor;
  Ragged d_scores{ctx.placed(d), {}};
  for (const Doc* doc : docs) d_scores.lengths.push_back(doc->size());
  forward.backward(ctx, d_scores);
}

void TokenClassifier::throw_named(const Error& error) const {
  if (!error.problems().empty()) throw;
  throw Error(error.kind(), "component '" + name() + "': " + error.message(), error.place());
}

ScoreSessionPtr TokenClassifier::start_scores() const {
  return start_session(network_.scorer, *this, cfg());
}

std::vector<std::int32_t> best_classes(ConstView scores) {
  std::vector<std::int32_t> best(static_cast<std::size_t>(scores.rows()));
  for (std::int64_t i = 0; i < scores.rows(); ++i) {
    const std::span<const float> row{scores.row<float>(i), static_cast<std::size_t>(scores.cols())};
    best[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(first_highest(row));
  }
  return best;
}

}  // namespace weft
