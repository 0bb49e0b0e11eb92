#include "framework/text/example.h"

#include <algorithm>
#include <optional>

#include "framework/unicode/unicode.h"

namespace weft {
namespace {

// How texts of spans are compared.
std::string spelling(std::string_view text) {
  std::string result = lower(text);
  result = strip(result);
  std::erase(result, ' ');
  return result;
}

template <typename Row>  // Row(i): the tokens of `target` that token i of `source` is aligned with
std::vector<Span> aligned(const Doc& source, const Doc& target, std::span<const Span> spans,
                          bool allow_overlap, Row row) {
  // Examples are asked for one span at a time too: then nothing may take time for all tokens.
  std::vector<bool> used(allow_overlap ? 0 : target.size(), false);
  std::vector<Span> result;
  for (const Span& span : spans) {
    std::vector<int> tokens;
    for (int i = span.start; i < span.end; ++i) {
      for (const int token : row(i)) {
        if (allow_overlap || !used[token]) tokens.push_back(token);
      }
    }
    if (tokens.empty()) continue;
    const Span found{tokens.front(), tokens.back() + 1, span.label, span.kb_id, span.id};
    const std::string_view ours = target.span_text(found.start, found.end);
    const std::string_view theirs = source.span_text(span.start, span.end);
    if (ours != theirs && spelling(ours) != spelling(theirs)) continue;
    result.push_back(found);
    if (allow_overlap) continue;
    for (const int token : tokens) used[token] = true;
  }
  return result;
}

// What all reference tokens of a predicted one agree on, or nothing.
std::optional<Iob> agreed_iob(const Doc& reference, std::span<const int> tokens) {
  if (tokens.empty()) return std::nullopt;
  const Iob first = reference.ent_iob(tokens.front());
  const bool agree = std::all_of(tokens.begin(), tokens.end(),
                                 [&](int token) { return reference.ent_iob(token) == first; });
  if (!agree) return std::nullopt;
  return first;
}

void mark_entity(std::vector<GoldTag>& tags, const Span& ent) {
  for (int i = ent.start; i < ent.end; ++i) tags[i] = {Move::in, ent.label};
  tags[ent.start].move = Move::begin;
  tags[ent.end - 1].move = ent.end - ent.start == 1 ? Move::unit : Move::last;
}

}  // namespace

std::string ExamplePlace::str() const {
  std::string text = file ? *file : "";
  if (file && line > 0) text += ":" + std::to_string(line);
  if (document > 0) text += (text.empty() ? "document " : ", document ") + std::to_string(document);
  return text;
}

Example::Example(Doc predicted, Doc reference)
    : predicted_(std::move(predicted)),
      reference_(std::move(reference)),
      alignment_(*predicted_.tokens(), *reference_.tokens()) {}

Example Example::from_reference(Doc reference) {
  Doc predicted = reference.words_only();
  return Example(std::move(predicted), std::move(reference));
}

std::vector<GoldTag> Example::gold_tags() const {
  std::vector<GoldTag> tags(predicted_.size());
  if (!reference_.has_ents()) return tags;
  for (const Span& ent : spans_to_predicted(reference_.ents(), false)) mark_entity(tags, ent);
  for (int i = 0; i < predicted_.size(); ++i) {
    if (tags[i].move != Move::missing) continue;
    const bool out = agreed_iob(reference_, alignment_.to_reference(i)) == Iob::out;
    if (out || predicted_.is_space(i)) tags[i].move = Move::out;
  }
  return tags;
}

std::vector<Span> Example::spans_to_predicted(std::span<const Span> spans,
                                              bool allow_overlap) const {
  return aligned(reference_, predicted_, spans, allow_overlap,
                 [&](int i) { return alignment_.to_predicted(i); });
}

std::vector<Span> Example::spans_to_reference(std::span<const Span> spans,
                                              bool allow_overlap) const {
  return aligned(predicted_, reference_, spans, allow_overlap,
                 [&](int i) { return alignment_.to_reference(i); });
}

}  // namespace weft
