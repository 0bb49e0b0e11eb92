#include "framework/parser/ner_gold.h"

#include <algorithm>

#include "registry/base/error.h"

namespace weft {

using transition::NegativeSpan;
using transition::State;

namespace {

// Every move of a parse looks at all of them.
constexpr std::size_t kMostNegatives = 1024;

// BILUO: begin, in, last of an entity of several tokens, unit for one of a single token.
void mark_entity(std::vector<GoldTag>& tags, const Span& ent) {
  for (int i = ent.start; i < ent.end; ++i) tags[i] = {Move::in, ent.label};
  tags[ent.start].move = Move::begin;
  tags[ent.end - 1].move = ent.end - ent.start == 1 ? Move::unit : Move::last;
}

// Whether reference tokens [start, end) carry annotation.
bool reference_has_gold(const Doc& reference, const std::optional<std::string>& negative_key,
                        int start, int end) {
  if (negative_key) {
    if (const SpanGroup* group = reference.span_group(*negative_key)) {
      for (const Span& span : group->spans) {
        if (span.start >= start && span.end <= end) return true;
      }
    }
  }
  for (int i = start; i < end; ++i) {
    if (reference.ent_iob(i) != Iob::missing) return true;
  }
  return false;
}

}  // namespace

std::vector<GoldTag> gold_tags(const Example& example) {
  const Doc& predicted = example.predicted();
  const Doc& reference = example.reference();
  std::vector<GoldTag> tags(predicted.size());
  if (!reference.has_ents()) return tags;
  // An entity whose edges no predicted tokens have is left out here; its tokens stay missing, so
  // that they cost nothing whatever the parser does with them.
  std::vector<Span> ents = reference.ents();
  if (!example.alignment().is_identity()) ents = example.spans_to_predicted(ents, false);
  for (const Span& ent : ents) mark_entity(tags, ent);
  for (int i = 0; i < predicted.size(); ++i) {
    if (tags[i].move != Move::missing) continue;
    const auto iob = example.aligned(i, [&](int token) { return reference.ent_iob(token); });
    // White space that no entity covers is outside, annotated or not.
    if (iob == Iob::out || predicted.is_space(i)) tags[i].move = Move::out;
  }
  return tags;
}

bool has_entity_gold(const Example& example, const std::optional<std::string>& negative_key) {
  const Doc& reference = example.reference();
  return reference_has_gold(reference, negative_key, 0, reference.size());
}

bool has_entity_gold(const Example& example, const std::optional<std::string>& negative_key,
                     int start, int end) {
  // A piece of the predicted tokens is looked up in the reference as a span of its own; where its
  // edges fall within reference tokens, the whole document answers for it (spaCy 3.8).
  const Span piece{start, end};
  const std::vector<Span> aligned = example.spans_to_reference({&piece, 1}, true);
  if (start >= end || aligned.empty()) return has_entity_gold(example, negative_key);
  return reference_has_gold(example.reference(), negative_key, aligned[0].start, aligned[0].end);
}

std::vector<NegativeSpan> negative_spans(const Example& example,
                                         const std::optional<std::string>& negative_key) {
  std::vector<NegativeSpan> negatives;
  if (!negative_key) return negatives;
  const Doc& reference = example.reference();
  const SpanGroup* group = reference.span_group(*negative_key);
  if (group == nullptr) return negatives;
  if (group->spans.size() > kMostNegatives) {
    throw Error(ErrorKind::data, "group '" + *negative_key + "' has " +
                                     std::to_string(group->spans.size()) +
                                     " spans that are known not to be entities; a document may "
                                     "have " +
                                     std::to_string(kMostNegatives));
  }
  const std::vector<Span> ents = reference.has_ents() ? reference.ents() : std::vector<Span>{};
  for (const Span& span : group->spans) {
    const bool contradicts = std::any_of(ents.begin(), ents.end(), [&](const Span& ent) {
      return ent.start == span.start && ent.end == span.end && ent.label == span.label;
    });
    if (!contradicts) continue;
    throw Error(ErrorKind::data, "the span of tokens " + std::to_string(span.start) + " to " +
                                     std::to_string(span.end) + " is an entity and, in group '" +
                                     *negative_key + "', known not to be one");
  }
  for (const Span& span : example.spans_to_predicted(group->spans, true)) {
    negatives.push_back({span.start, span.end, span.label});
  }
  return negatives;
}

std::vector<State> training_states(const Example& example,
                                   const std::optional<std::string>& negative_key,
                                   const State& start, const OracleView& oracle, int max_moves) {
  if (start.is_final() || !has_entity_gold(example, negative_key)) return {};
  if (max_moves <= 0 || start.length < max_moves) return {start};
  const std::vector<State> cuts = cut_along_oracle(start, oracle, max_moves);
  std::vector<State> states;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    // The test of the last piece leaves out the document's last token (spaCy 3.8).
    const int end = i + 1 < cuts.size() ? cuts[i + 1].position : start.length - 1;
    if (has_entity_gold(example, negative_key, cuts[i].position, end)) states.push_back(cuts[i]);
  }
  return states;
}

}  // namespace weft
