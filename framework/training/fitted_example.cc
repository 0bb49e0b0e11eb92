#include "framework/training/fitted_example.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace weft {
namespace {

// An entity as characters. Of one that fits, the characters of the predicted tokens, which may
// differ from its own in white space at the edges.
struct CharEnts {
  std::vector<CharEnt> ents;
  bool all_fit = true;
};

CharEnts char_ents_of(const Example& example) {
  CharEnts result;
  const Doc& reference = example.reference();
  for (const Span& ent : reference.ents()) {
    const auto fitting = example.spans_to_predicted({&ent, 1}, true);
    result.all_fit = result.all_fit && !fitting.empty();
    const auto [start, end] =
        fitting.empty() ? reference.span_chars(ent.start, ent.end)
                        : example.predicted().span_chars(fitting[0].start, fitting[0].end);
    result.ents.push_back({start, end, std::string(reference.string(ent.label)),
                           std::string(reference.string(ent.kb_id)),
                           std::string(reference.string(ent.id))});
  }
  return result;
}

// Predicted tokens of which some reference token is not annotated, but for those in entities.
std::vector<Span> tokens_without_annotation(const Example& example, const Doc& fitted) {
  std::vector<Span> missing;
  for (int i = 0; i < fitted.size(); ++i) {
    if (fitted.ent_iob(i) != Iob::out) continue;
    const auto tokens = example.alignment().to_reference(i);
    const bool unknown = std::any_of(tokens.begin(), tokens.end(), [&](int token) {
      return example.reference().ent_iob(token) == Iob::missing;
    });
    if (unknown) missing.push_back({i, i + 1});
  }
  return missing;
}

void copy_sentences(const Example& example, Doc& fitted) {
  const Doc& reference = example.reference();
  if (!reference.has_sents()) return;
  std::vector<std::int8_t> starts(static_cast<std::size_t>(fitted.size()), -1);
  for (int i = 0; i < fitted.size(); ++i) {
    const auto tokens = example.alignment().to_reference(i);
    const bool begins = !tokens.empty() &&
                        reference.sent_starts()[static_cast<std::size_t>(tokens.front())] == 1 &&
                        example.alignment().to_predicted(tokens.front()).front() == i;
    if (begins) starts[static_cast<std::size_t>(i)] = 1;
  }
  fitted.set_sent_starts(std::move(starts));
}

Doc fitted_reference(const Example& example, Doc fitted) {
  const Doc& reference = example.reference();
  const std::vector<Span> missing = tokens_without_annotation(example, fitted);
  if (!missing.empty()) fitted.set_ents({}, EntsDefault::unmodified, {}, missing);
  copy_sentences(example, fitted);
  fitted.set_cats(reference.cats());
  fitted.set_user_data(reference.user_data());
  return fitted;
}

}  // namespace

Example fitted_example(Doc predicted, Doc reference, AlignmentPolicy policy,
                       const ExamplePlace& place, const MisalignedSink& tell) {
  Example example(std::move(predicted), std::move(reference));
  if (example.alignment().is_identity() || !example.reference().has_ents()) return example;
  const CharEnts ents = char_ents_of(example);
  if (ents.all_fit) return example;
  Doc fitted(example.predicted().vocab(), example.predicted().tokens());
  fitted.set_strings(example.predicted().strings());
  const DocPlace at{place.file ? *place.file : "", place.line,
                    static_cast<std::size_t>(std::max<std::int64_t>(place.document - 1, 0))};
  set_ents_from_chars(fitted, ents.ents, policy, at, tell);
  if (policy == AlignmentPolicy::drop) return example;
  Doc with_entities = fitted_reference(example, std::move(fitted));
  return Example(std::move(example.predicted()), std::move(with_entities));
}

}  // namespace weft
