#include "components/pipes/span_annotation.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "components/pipes/span_facts.h"
#include "framework/text/token_table.h"
#include "registry/base/error.h"
#include "registry/base/seeded_hash.h"

namespace weft {

namespace {

class SpanAnnotation final : public AnnotationKind {
 public:
  SpanAnnotation(std::string key, bool labelled, SpanReach reach)
      : key_(std::move(key)),
        things_("spans of " + key_),
        labels_("labels of " + key_),
        labelled_(labelled),
        reach_(std::move(reach)) {}

  std::vector<std::string> labels_in(const Doc& doc) const override {
    std::vector<std::string> labels;
    for (const Span& span : spans_of(doc)) labels.push_back(label_of(doc, span));
    return labels;
  }
  Names names() const override { return {things_, labels_}; }
  std::string text_of(const Doc& doc) const override {
    std::vector<std::string> lines;
    for (const Span& span : spans_of(doc)) {
      lines.push_back(fmt::format("{} {} {}\n", span.start, span.end, label_of(doc, span)));
    }
    std::sort(lines.begin(), lines.end());
    return fmt::format("{}", fmt::join(lines, ""));
  }

  std::unique_ptr<AnnotationFacts> facts() const override {
    return std::make_unique<SpanFacts>(key_, labelled_, *this);
  }

  void check_presence(const PlacedDoc& placed, const DataSink& tell) const override {
    if (placed.doc.span_group(key_) != nullptr) return;
    tell_with(tell, problem_in(DataFault::not_annotated, placed),
              fmt::format("the document has no span group \"{}\"", key_),
              "give it an empty group if it has no span; such documents are not scored");
  }

  void check(const PlacedDoc& placed, const Doc* tokenized, const DataSink& tell) const override {
    const Doc& pipeline = tokenized != nullptr ? *tokenized : placed.doc;
    std::vector<Span> given, learnt;  // with their own tokens, and with the pipeline's
    for (const Span& span : spans_of(placed.doc)) {
      if (span.start >= span.end) {
        tell_with(tell, problem_in(DataFault::outside, placed, span), "the span has no token",
                  "leave it out");
        continue;
      }
      check_edges(placed, span, tell);
      Span moved = span;
      if (tokenized != nullptr) {
        const auto [first, last] = placed.doc.span_chars(span.start, span.end);
        std::tie(moved.start, moved.end) = tokenized->char_span(first, last);
      }
      if (moved.start < 0) {
        tell_with(tell, problem_in(DataFault::misaligned, placed, span),
                  "the pipeline's tokens have other edges: the span is not learnt from",
                  "annotate whole tokens, or change the tokenizer");
        continue;
      }
      given.push_back(span);
      learnt.push_back(moved);
    }
    check_reach(placed, given, pipeline, learnt, tell);
  }

 private:
  std::span<const Span> spans_of(const Doc& doc) const {
    const SpanGroup* group = doc.span_group(key_);
    return group == nullptr ? std::span<const Span>() : std::span<const Span>(group->spans);
  }
  std::string label_of(const Doc& doc, const Span& span) const {
    return labelled_ ? std::string(doc.string(span.label)) : std::string();
  }

  static void check_edges(const PlacedDoc& placed, const Span& span, const DataSink& tell) {
    const Doc& doc = placed.doc;
    if (!doc.is_space(span.start) && !doc.is_space(span.end - 1)) return;
    tell_with(tell, problem_in(DataFault::white_space, placed, span),
              "the span begins or ends with white space", "leave it outside of the span");
  }

  // `given` are the spans of the corpus, `learnt` the same in the pipeline's tokens.
  void check_reach(const PlacedDoc& placed, const std::vector<Span>& given, const Doc& pipeline,
                   const std::vector<Span>& learnt, const DataSink& tell) const {
    const std::vector<bool> within = reach_.within(pipeline, learnt);
    for (std::size_t i = 0; i < within.size(); ++i) {
      if (within[i]) continue;
      tell_with(tell, problem_in(DataFault::out_of_reach, placed, given[i]),
                fmt::format("a span of {} tokens can never be found: the component looks at {}",
                            learnt[i].end - learnt[i].start, reach_.description),
                "change the suggester, or annotate shorter spans");
    }
  }

  std::string key_, things_, labels_;
  bool labelled_;
  SpanReach reach_;
};

struct PlaceHash {
  std::size_t operator()(std::uint64_t place) const { return SeededHash{}(place); }
};

std::uint64_t place_of(int start, int end) {
  return static_cast<std::uint64_t>(start) << 32 | static_cast<std::uint32_t>(end);
}

}  // namespace

SpanReach reach_of(const Suggester& suggester) {
  const auto within = [suggest = suggester.suggest](const Doc& doc, std::span<const Span> spans) {
    std::vector<bool> found;
    if (spans.empty()) return found;
    std::unordered_set<std::uint64_t, PlaceHash> suggested;
    try {
      for (const TokenRange& span : suggest(doc)) suggested.insert(place_of(span.start, span.end));
    } catch (const Error&) {
      return found;  // of a group that a component will set, or too many to be looked at
    }
    for (const Span& span : spans)
      found.push_back(suggested.contains(place_of(span.start, span.end)));
    return found;
  };
  return {suggester.description, within};
}

SpanReach reach_of_lengths(int least, int most) {
  const auto within = [least, most](const Doc&, std::span<const Span> spans) {
    std::vector<bool> found;
    for (const Span& span : spans) {
      const int length = span.end - span.start;
      found.push_back(length >= least && length <= most);
    }
    return found;
  };
  return {fmt::format("spans of {} to {} tokens", least, most), within};
}

const AnnotationKind& span_annotation(const std::string& spans_key, bool labelled,
                                      const SpanReach& reach) {
  using Key = std::tuple<std::string, bool, std::string>;
  static std::mutex mutex;
  static auto& kinds = *new std::map<Key, std::unique_ptr<SpanAnnotation>>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<SpanAnnotation>& kind = kinds[{spans_key, labelled, reach.description}];
  if (!kind) kind = std::make_unique<SpanAnnotation>(spans_key, labelled, reach);
  return *kind;
}

}  // namespace weft
