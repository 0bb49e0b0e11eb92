#include "framework/text/example.h"

#include <fmt/format.h>

#include "framework/unicode/unicode.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Spans of one document are walked over token by token, and their texts compared. Long ones that
// overlap could take hours otherwise.
constexpr std::int64_t kMostTokensOfSpans = 1 << 24;

// How texts of spans are compared.
std::string spelling(std::string_view text) {
  std::string result = lower(text);
  result = strip(result);
  std::erase(result, ' ');
  return result;
}

// Where both sides have the same words every span stays as it is. Walking over the tokens of each
// would take time by their number squared where many are long.
std::vector<Span> spans_with_tokens(std::span<const Span> spans) {
  std::vector<Span> result;
  for (const Span& span : spans) {
    if (span.start < span.end) result.push_back(span);
  }
  return result;
}

void check_length_of_spans(std::span<const Span> spans, const ExamplePlace& place) {
  std::int64_t tokens = 0;
  for (const Span& span : spans) tokens += span.end - span.start;
  if (tokens <= kMostTokensOfSpans) return;
  throw Error(ErrorKind::data,
              place.before(fmt::format("its {} spans have {} tokens in all; where the pipeline has "
                                       "other tokens than the document, {} can be fitted to them",
                                       spans.size(), tokens, kMostTokensOfSpans)));
}

template <typename Row>  // Row(i): the tokens of `target` that token i of `source` is aligned with
std::vector<Span> aligned_spans(const Doc& source, const Doc& target, std::span<const Span> spans,
                                bool allow_overlap, Row row) {
  // Examples are asked for one span at a time too: then nothing may take time for all tokens.
  std::vector<bool> used(allow_overlap ? 0 : target.size(), false);
  std::vector<Span> result;
  std::vector<int> tokens;
  for (const Span& span : spans) {
    tokens.clear();
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

}  // namespace

std::string ExamplePlace::str() const {
  std::string text = file ? *file : "";
  if (file && line > 0) text += ":" + std::to_string(line);
  if (document > 0) text += (text.empty() ? "document " : ", document ") + std::to_string(document);
  return text;
}

std::string ExamplePlace::before(std::string_view message) const {
  const std::string place = str();
  return (place.empty() ? "" : place + ": ") + std::string(message);
}

Example::Example(Doc predicted, Doc reference)
    : predicted_(std::move(predicted)),
      reference_(std::move(reference)),
      predicted_tokens_(predicted_.tokens()),
      reference_tokens_(reference_.tokens()),
      alignment_(*predicted_tokens_, *reference_tokens_) {}

void Example::align_again() {
  if (predicted_.tokens() == predicted_tokens_ && reference_.tokens() == reference_tokens_) return;
  alignment_ = Alignment(*predicted_.tokens(), *reference_.tokens());
  predicted_tokens_ = predicted_.tokens();
  reference_tokens_ = reference_.tokens();
}

Example Example::from_reference(Doc reference) {
  Doc predicted = reference.words_only();
  return Example(std::move(predicted), std::move(reference));
}

std::vector<StringId> Example::aligned_column(Attr attr) const {
  const std::span<const StringId> column = reference_.column(attr);
  std::vector<StringId> values(static_cast<std::size_t>(predicted_.size()), 0);
  for (std::size_t i = 0; i < values.size() && !column.empty(); ++i) {
    const auto value_of = [&](int token) { return column[static_cast<std::size_t>(token)]; };
    values[i] = aligned(static_cast<int>(i), value_of).value_or(0);
  }
  return values;
}

std::vector<Span> Example::spans_to_predicted(std::span<const Span> spans,
                                              bool allow_overlap) const {
  if (allow_overlap && alignment_.is_identity()) return spans_with_tokens(spans);
  check_length_of_spans(spans, place_);
  return aligned_spans(reference_, predicted_, spans, allow_overlap,
                       [&](int i) { return alignment_.to_predicted(i); });
}

std::vector<Span> Example::spans_to_reference(std::span<const Span> spans,
                                              bool allow_overlap) const {
  if (allow_overlap && alignment_.is_identity()) return spans_with_tokens(spans);
  check_length_of_spans(spans, place_);
  return aligned_spans(predicted_, reference_, spans, allow_overlap,
                       [&](int i) { return alignment_.to_reference(i); });
}

}  // namespace weft
