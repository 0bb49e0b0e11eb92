#include "components/pipes/span_categorizer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "components/pipes/span_annotation.h"
#include "components/pipes/span_network.h"
#include "components/scorers/span_scores.h"
#include "framework/pipeline/document_error.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Candidates times labels: a small model with thousands of labels predicts more than fits a memory.
constexpr std::size_t kMostPredictedSpans = std::size_t{1} << 22;

}  // namespace

SpanCategorizer::SpanCategorizer(SpanCategorizerSettings settings)
    : settings_(std::move(settings)) {
  require_span_network(*settings_.model);
  settings_.model->set_cost([suggester = settings_.suggester](const Model& model, double width) {
    return span_network_cost(model, suggester, width);
  });
}

Tensor SpanCategorizer::checked_scores(Context& ctx, const Value& output) const {
  Tensor scores = cast_to(DType::f32, ctx.on_host(as_tensor(output)));
  if (scores.shape().rank() == 2 && scores.dim(1) == class_count()) return scores;
  throw Error(ErrorKind::data,
              fmt::format("component '{}': the model gives arrays {} where there are {} classes",
                          name(), scores.shape().str(), class_count()));
}

void SpanCategorizer::check_count(std::size_t spans, const Doc& doc) const {
  if (spans <= kMostPredictedSpans) return;
  const Error error(ErrorKind::data,
                    fmt::format("more than {} spans of a document of {} tokens have a label, of "
                                "{} labels: raise `threshold` or set `max_positive`",
                                kMostPredictedSpans, doc.size(), labels_.size()));
  throw document_error(error, fmt::format("component '{}'", name()), doc);
}

void SpanCategorizer::predict(Context& ctx, std::span<Doc* const> docs, Slots&) const {
  const std::vector<const Doc*> inputs(docs.begin(), docs.end());
  const SpanCandidates candidates = suggested_spans(settings_.suggester, DocBatch(inputs));
  // A document gets its spans as soon as it has them all: those of a whole batch would be held
  // twice, and may be many.
  std::vector<ScoredSpan> chosen;
  std::size_t doc = 0;
  const auto end_doc = [&] {
    set_spans(*docs[doc], candidates.counts[doc], std::exchange(chosen, {}));
    ++doc;
  };
  if (!candidates.spans.empty()) {
    std::size_t end = candidates.counts[0];
    predict_spans(ctx, *settings_.model, DocBatch(inputs), candidates,
                  [&](std::size_t first, const Tensor& part) {
                    const Tensor scores = checked_scores(ctx, part);
                    for (std::int64_t row = 0; row < scores.dim(0); ++row, ++first) {
                      while (first == end) {
                        end_doc();
                        end += candidates.counts[doc];
                      }
                      choose_labels(settings_.choice, candidates.spans[first],
                                    scores.cview().row<float>(row), static_cast<int>(scores.dim(1)),
                                    chosen);
                      check_count(chosen.size(), *docs[doc]);
                    }
                  });
  }
  while (doc < docs.size()) end_doc();
}

void SpanCategorizer::set_spans(Doc& doc, std::size_t candidates,
                                std::vector<ScoredSpan> chosen) const {
  const std::vector<ScoredSpan> kept = without_overlaps(settings_.choice, std::move(chosen));
  SpanGroup group{settings_.spans_key, {}, {}};
  for (const ScoredSpan& span : kept) {
    group.spans.push_back({span.range.start, span.range.end, labels_.id(span.label)});
  }
  if (candidates > 0) group.attrs = score_attributes(settings_.choice, kept);
  doc.set_span_group(settings_.spans_key, std::move(group));
}

void SpanCategorizer::begin_batch(Batch& batch) {
  rows_before_.clear();
  std::int64_t rows = 0;
  for (const Example* example : batch.examples) {
    rows_before_.push_back(rows);
    rows += static_cast<std::int64_t>(settings_.suggester.count(example->predicted()));
  }
}

void SpanCategorizer::update(ShardUpdate& shard) const {
  double& loss = shard.losses[name()];
  std::vector<const Doc*> docs;
  for (const Example* example : shard.examples) docs.push_back(&example->predicted());
  Context& ctx = shard.ctx;
  const SpanCandidates candidates = suggested_spans(settings_.suggester, DocBatch(docs));
  if (candidates.spans.empty()) return;
  const SpanTruth truth = span_truth(shard.examples, candidates, settings_.spans_key, labels_);
  const std::size_t first = shard.batch.shards[shard.shard].begin;
  const Forward forward =
      score_spans(ctx, *settings_.model, DocBatch(docs), candidates, rows_before_[first]);
  const SpanLoss found =
      span_loss(ctx, checked_scores(ctx, forward.output), truth, settings_.choice.no_label,
                settings_.negative_weight.value_or(1.0));
  loss += found.sum;
  forward.backward(ctx, found.d_scores);
}

ScoreSessionPtr SpanCategorizer::start_scores() const {
  return start_session(SpanScorer::configured(settings_.scorer, settings_.spans_key), *this, cfg());
}

PredictedValues SpanCategorizer::predicted_values() const {
  const double labels = settings_.choice.max_positive
                            ? std::min<double>(*settings_.choice.max_positive, labels_.size())
                            : static_cast<double>(labels_.size());
  return {.of_token = static_cast<std::size_t>(settings_.suggester.spans_per_token * labels)};
}

const AnnotationKind* SpanCategorizer::annotation() const {
  return &span_annotation(settings_.spans_key, true, reach_of(settings_.suggester));
}

}  // namespace weft
