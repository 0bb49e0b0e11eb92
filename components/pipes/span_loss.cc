#include "components/pipes/span_loss.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {

namespace {

using Place = std::pair<int, int>;

std::int32_t class_of(const Example& example, const Span& span, const LabelList& labels) {
  if (const auto number = labels.find(span.label)) return *number;
  throw Error(ErrorKind::data,
              example.place().before(fmt::format(
                  "the span \"{}\" has the label \"{}\", which is none of the component's",
                  printable_brief(example.predicted().span_text(span.start, span.end)),
                  printable_brief(example.reference().string(span.label)))));
}

// Gold spans by their places, each with the number of the last candidate there; -1: none.
struct GoldPlaces {
  std::map<Place, std::int64_t> candidate_at;
  std::vector<bool> starts;  // tokens that some gold span begins with
};

// The marks of first tokens let most candidates be passed without a search in the map.
GoldPlaces places_of(const std::vector<Span>& gold, int tokens) {
  GoldPlaces places{{}, std::vector<bool>(static_cast<std::size_t>(tokens), false)};
  for (const Span& span : gold) {
    places.candidate_at.emplace(Place(span.start, span.end), -1);
    places.starts[static_cast<std::size_t>(span.start)] = true;
  }
  return places;
}

}  // namespace

// Finds the gold spans among the candidates, document by document; `first` is the number of a
// document's first candidate in the batch. A gold span that the suggester did not suggest cannot be
// learnt and is passed over. Sorted by candidate, so that the loss is taken in one walk over both.
SpanTruth span_truth(std::span<Example* const> examples, const SpanCandidates& candidates,
                     const std::string& spans_key, const LabelList& labels) {
  SpanTruth truth;
  std::size_t first = 0;
  for (std::size_t d = 0; d < examples.size(); first += candidates.counts[d++]) {
    const Example& example = *examples[d];
    const SpanGroup* group = example.reference().span_group(spans_key);
    if (group == nullptr || candidates.counts[d] == 0) continue;
    const std::vector<Span> gold = example.spans_to_predicted(group->spans, true);
    GoldPlaces places = places_of(gold, example.predicted().size());
    for (std::size_t c = first; c < first + candidates.counts[d]; ++c) {
      const TokenRange& span = candidates.spans[c];
      if (!places.starts[static_cast<std::size_t>(span.start)]) continue;
      const auto found = places.candidate_at.find({span.start, span.end});
      if (found != places.candidate_at.end()) found->second = static_cast<std::int64_t>(c);
    }
    for (const Span& span : gold) {
      const std::int64_t candidate = places.candidate_at.at({span.start, span.end});
      if (candidate >= 0) truth.emplace_back(candidate, class_of(example, span, labels));
    }
  }
  std::sort(truth.begin(), truth.end());
  truth.erase(std::unique(truth.begin(), truth.end()), truth.end());
  return truth;
}

// The gradient of half the squared error is score minus truth: a row starts as a copy of its
// scores, and 1 goes off for each right class. `right` walks along with the rows, as both ascend.
SpanLoss span_loss(Context& ctx, const Tensor& scores, const SpanTruth& truth, bool no_label,
                   double negative_weight) {
  SpanLoss loss;
  const std::int64_t classes = scores.dim(1);
  Tensor gradient = ctx.host_array(scores.shape());
  const auto weight = static_cast<float>(negative_weight);
  const float scale = ctx.pass().loss_scale();
  auto right = truth.begin();
  for (std::int64_t row = 0; row < scores.dim(0); ++row) {
    const float* score = scores.cview().row<float>(row);
    float* d = gradient.view().row<float>(row);
    std::copy_n(score, classes, d);
    const bool is_gold = right != truth.end() && right->first == row;
    for (; right != truth.end() && right->first == row; ++right) d[right->second] -= 1.0F;
    const bool is_negative = no_label && !is_gold;
    if (is_negative) d[classes - 1] -= 1.0F;
    for (std::int64_t k = 0; k < classes; ++k) {
      if (is_negative) d[k] *= weight;
      loss.sum += double{d[k]} * d[k];
      d[k] *= scale;
    }
  }
  loss.d_scores = ctx.placed(gradient);
  return loss;
}

}  // namespace weft
