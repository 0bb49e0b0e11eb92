// spacy.extract_spans.v1: the token vectors of each of some spans. Source: spaCy 3.8.
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "components/layers/span_layers.h"
#include "framework/ops/gather.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft::layers {

namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 26;  // of all spans together

// The row of each token of each span, and how many each has.
struct SpanRows {
  std::vector<std::int32_t> rows;
  std::vector<std::int64_t> lengths;
};

SpanRows rows_of(const Tensor& spans, std::int64_t tokens) {
  SpanRows all;
  std::int64_t count = 0;
  for (std::int64_t s = 0; s < spans.dim(0); ++s) {
    const std::int32_t* span = spans.cview().row<std::int32_t>(s);
    if (span[0] < 0 || span[0] > span[1] || span[1] > tokens) {
      throw Error(ErrorKind::data,
                  fmt::format("a span of the rows {} to {} of {}", span[0], span[1], tokens));
    }
    all.lengths.push_back(span[1] - span[0]);
    count += all.lengths.back();
  }
  if (count > kMostRows) {
    throw Error(ErrorKind::data, fmt::format("the spans of a batch have {} tokens together, at "
                                             "most {} can be: suggest shorter ones",
                                             count, kMostRows));
  }
  all.rows.reserve(static_cast<std::size_t>(count));
  for (std::int64_t s = 0; s < spans.dim(0); ++s) {
    const std::int32_t* span = spans.cview().row<std::int32_t>(s);
    for (std::int32_t row = span[0]; row < span[1]; ++row) all.rows.push_back(row);
  }
  return all;
}

ConstView index_of(Context& ctx, const std::vector<std::int32_t>& rows) {
  return {ctx.placed_array(std::span<const std::int32_t>(rows)),
          DType::i32,
          {static_cast<std::int64_t>(rows.size()), 1}};
}

Forward extract(Context& ctx, const Value& input) {
  const auto* list = std::get_if<TensorList>(&input);
  if (list == nullptr || list->size() != 2 || (*list)[1].dtype() != DType::i32) {
    throw Error(ErrorKind::config,
                "extract_spans takes token vectors and spans; it stands in a SpanCategorizer");
  }
  const Tensor x = (*list)[0];
  SpanRows spans = rows_of((*list)[1], x.dim(0));
  const auto count = static_cast<std::int64_t>(spans.rows.size());
  Ragged y{ctx.empty({count, x.dim(1)}, x.dtype()), spans.lengths};
  ctx.run<GatherRows>(x, index_of(ctx, spans.rows), y.data.view());
  if (!ctx.training()) return {std::move(y), {}};
  return {
      std::move(y),
      [rows = std::move(spans.rows), x, of = (*list)[1]](Context& ctx, const Value& dy) -> Value {
        Tensor dx = ctx.empty(x.shape());
        ctx.run<ScatterAddRows>(as_ragged(ctx, dy).data, index_of(ctx, rows), dx.view(), 0.0F);
        return TensorList{dx, of};
      }};
}

// The forward function. A type of its own, by which extracts_spans knows it.
struct SpanExtraction {
  Forward operator()(Context& ctx, const Model&, const Value& input) const {
    return extract(ctx, input);
  }
};

}  // namespace

ModelPtr extract_spans() {
  const auto initialize = [](Context& ctx, Model&, const Value&, const Value&, InitRandom&) {
    ctx.require<GatherRows>();
    ctx.require<ScatterAddRows>();
  };
  return std::make_shared<Model>("extract_spans", SpanExtraction(), initialize);
}

bool extracts_spans(const Model& layer) {
  return layer.forward_function().target<SpanExtraction>() != nullptr;
}

static const Registration registered{"layers", "spacy.extract_spans.v1", extract_spans,
                                     "the token vectors of each span"};

}  // namespace weft::layers
