#include "components/pipes/span_network.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "components/layers/span_layers.h"
#include "framework/precision/element_type.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"

namespace weft {

namespace {

constexpr std::size_t kPart = std::size_t{1} << 14;  // candidates that are predicted at once

// The part that makes token vectors of documents, for all that follows: the one that has the
// network of the reference `tok2vec` below it.
const Model& vectors_of(const Model& model) {
  const Model* tok2vec = &model.ref("tok2vec");
  for (const ModelPtr& part : model.layers()) {
    const std::vector<const Model*> below = std::as_const(*part).walk();
    if (std::find(below.begin(), below.end(), tok2vec) != below.end()) return *part;
  }
  throw Error(ErrorKind::internal, "the vectors of a span network are no part of it");
}

// The part that makes of token vectors and spans the rows of each span; null where there is none.
const Model* find_extraction(const Model& model) {
  for (const ModelPtr& part : model.layers()) {
    if (layers::extracts_spans(*part)) return part.get();
  }
  return nullptr;
}

// Each span by its rows in the matrix of all tokens: (spans, 2), i32 on the host.
Tensor rows_of(Context& ctx, DocBatch docs, const SpanCandidates& candidates) {
  const auto count = static_cast<std::int64_t>(candidates.spans.size());
  Tensor rows = ctx.host_array({count, 2}, DType::i32);
  auto* row = rows.data<std::int32_t>();
  std::int64_t first = 0;
  auto span = candidates.spans.begin();
  for (std::size_t d = 0; d < docs.size(); ++d) {
    for (std::size_t i = 0; i < candidates.counts[d]; ++i, ++span) {
      *row++ = static_cast<std::int32_t>(first + span->start);
      *row++ = static_cast<std::int32_t>(first + span->end);
    }
    first += docs[d]->size();
    if (first > std::numeric_limits<std::int32_t>::max()) {
      throw Error(ErrorKind::data, "the documents of a batch have more than 2^31 tokens");
    }
  }
  return rows;
}

// From token vectors and spans to scores, and back to the gradient of the vectors.
// Runs the parts in their order and remembers how each goes back; the backward pass calls them in
// the opposite order. A reducer that can read the token vectors itself saves the copy of every
// span's rows, which is many times as large as the vectors where spans overlap.
Forward score_rows(Context& ctx, const Model& model, const TensorList& input) {
  const Model &reducer = model.ref("reducer"), &scorer = model.ref("scorer");
  std::vector<Backward> steps;
  const auto run = [&](const Model& layer, const Value& value) {
    Forward forward = layer(ctx, value);
    steps.push_back(std::move(forward.backward));
    return std::move(forward.output);
  };
  Value value =
      layers::reduces_spans(ctx, reducer) ? Value(input) : run(*find_extraction(model), input);
  value = run(scorer, run(reducer, value));
  if (!ctx.training()) return {std::move(value), {}};
  return {std::move(value), [steps = std::move(steps)](Context& ctx, const Value& d_scores) {
            Value gradient = d_scores;
            for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
              gradient = (*step)(ctx, gradient);
            }
            return gradient;
          }};
}

void check_range(const TokenRange& span, const Doc& doc) {
  if (span.start >= 0 && span.start < span.end && span.end <= doc.size()) return;
  throw Error(ErrorKind::data,
              fmt::format("the span from token {} to {} is suggested in a document of {} tokens; "
                          "suggested spans have a token at least",
                          span.start, span.end, doc.size()));
}

// Every token of every candidate is read: with lengths near that of the document, their number
// grows with its square.
void check_tokens(std::span<const TokenRange> spans, const Doc& doc) {
  std::int64_t tokens = 0;
  for (const TokenRange& span : spans) tokens += span.end - span.start;
  if (tokens <= kMostCandidateTokens) return;
  throw Error(ErrorKind::data,
              fmt::format("the {} spans that are suggested in a document of {} tokens have {} "
                          "tokens in all, at most {} can be: cut it into shorter ones, or suggest "
                          "shorter spans",
                          spans.size(), doc.size(), tokens, kMostCandidateTokens));
}

}  // namespace

SpanCandidates suggested_spans(const Suggester& suggester, DocBatch docs) {
  SpanCandidates all;
  for (const Doc* doc : docs) {
    const std::vector<TokenRange> spans = suggester.suggest(*doc);
    for (const TokenRange& span : spans) check_range(span, *doc);
    check_tokens(spans, *doc);
    all.spans.insert(all.spans.end(), spans.begin(), spans.end());
    all.counts.push_back(spans.size());
  }
  return all;
}

void require_span_network(const Model& model) {
  if (model.has_ref("tok2vec") && model.has_ref("reducer") && model.has_ref("scorer") &&
      find_extraction(model) != nullptr) {
    return;
  }
  throw Error(ErrorKind::config, fmt::format("the model ({}) is none that scores spans; take "
                                             "spacy.SpanCategorizer.v1",
                                             model.name()));
}

Forward score_spans(Context& ctx, const Model& model, DocBatch docs,
                    const SpanCandidates& candidates, std::int64_t rows_before) {
  Forward vectors = vectors_of(model)(ctx, docs);
  Ragged tokens = as_ragged(ctx, vectors.output);
  const RowPlace place(ctx.pass(), rows_before);
  Forward scores = score_rows(ctx, model, {tokens.data, rows_of(ctx, docs, candidates)});
  return {std::move(scores.output),
          [vectors = std::move(vectors.backward), scores = std::move(scores.backward),
           lengths = std::move(tokens.lengths)](Context& ctx, const Value& d_scores) {
            const Value gradient = scores(ctx, d_scores);
            return vectors(ctx, Ragged{std::get<TensorList>(gradient).front(), lengths});
          }};
}

// A long document can have hundreds of thousands of candidates. The token vectors are made once;
// the candidates follow in parts, and the memory of a part is given back before the next one.
void predict_spans(Context& ctx, const Model& model, DocBatch docs,
                   const SpanCandidates& candidates, const TakeScores& take) {
  const Ragged tokens = as_ragged(ctx, vectors_of(model).predict(ctx, docs));
  const Tensor rows = rows_of(ctx, docs, candidates);
  const std::size_t count = candidates.spans.size();
  const auto predict = [&](Context& of, std::size_t first) {
    const auto begin = static_cast<std::int64_t>(first);
    const auto end = static_cast<std::int64_t>(std::min(first + kPart, count));
    const Value scores = score_rows(of, model, {tokens.data, rows.rows(begin, end)}).output;
    take(first, cast_to(DType::f32, of.on_host(as_tensor(scores))));
  };
  if (count <= kPart) {
    if (count > 0) predict(ctx, 0);
    return;
  }
  const std::unique_ptr<Context> part = ctx.make_part();
  for (std::size_t first = 0; first < count; first += kPart) {
    predict(*part, first);
    part->end_step();
  }
}

// For each token: its own vector and gradient, the rows of the spans that begin with it, and a copy
// of the vectors of their tokens with the gradients.
LayerCost span_network_cost(const Model& model, const Suggester& suggester, double width) {
  LayerCost cost = vectors_of(model).cost(width);
  const double vector = cost.width;
  LayerCost span = model.ref("reducer").cost(vector);
  span.add(model.ref("scorer").cost(span.width));
  cost.per_row += suggester.spans_per_token * span.per_row +
                  suggester.tokens_per_token * 2 * vector + 2 * vector;
  cost.width = 0;
  return cost;
}

}  // namespace weft
