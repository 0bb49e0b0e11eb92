// The factory `span_ruler`: spans that patterns find. spaCy 3.8.
#include "components/pipes/span_ruler.h"

#include <algorithm>
#include <memory>

#include "framework/io/atomic_file.h"
#include "registry/functions/registration.h"

namespace weft {

void SpanRuler::to_disk(const std::filesystem::path& folder) const {
  write_file(folder / "patterns", lines());
}

void SpanRuler::from_disk(const std::filesystem::path& folder) {
  clear();
  add_pattern_file(folder / "patterns");
}

void SpanRuler::annotate(Doc& doc, std::vector<Span> found) const {
  const auto chosen = [&](const std::optional<SpanFilter>& filter, const std::vector<Span>& base) {
    return filter ? filter->choose(base, found) : found;
  };
  if (settings_.spans_key && !settings_.spans_key->empty()) {
    const std::string& key = *settings_.spans_key;
    const SpanGroup* known = doc.span_group(key);
    SpanGroup group = known != nullptr && !settings_.overwrite ? *known : SpanGroup{key, "", {}};
    const std::vector<Span> added = chosen(settings_.spans_filter, group.spans);
    group.spans.insert(group.spans.end(), added.begin(), added.end());
    doc.set_span_group(key, std::move(group));
  }
  if (settings_.annotate_ents) {
    const std::vector<Span> base = settings_.overwrite ? std::vector<Span>() : doc.ents();
    doc.set_ents(chosen(settings_.ents_filter, base));
  }
}

namespace {

constexpr const char* kEntsFilter = R"(
[ents_filter]
@misc = "spacy.first_longest_spans_filter.v1"
)";
constexpr const char* kScorer = R"(
[scorer]
@scorers = "spacy.overlapping_labeled_spans_scorer.v1"
spans_key = "ruler"
)";

struct Settings : PatternSettings {
  std::optional<std::string> spans_key = "ruler";
  std::optional<SpanFilter> spans_filter;
  bool annotate_ents = false;
  std::optional<SpanFilter> ents_filter;
  bool overwrite = true;
  std::optional<Scorer> scorer;
};

template <class V>
void fields(V& v, Settings& c) {
  v("spans_key", c.spans_key, "span group that gets the spans; null: none does");
  v("spans_filter", c.spans_filter, "chooses the spans of the group; null: all");
  v("annotate_ents", c.annotate_ents, "make entities of the spans");
  v.block("ents_filter", c.ents_filter, kEntsFilter, "chooses the spans that become entities");
  pattern_fields(v, c);
  v("overwrite", c.overwrite, "replace the spans, or the entities, that are there");
  v.block("scorer", c.scorer, kScorer, "how the spans are scored");
}

ComponentPtr span_ruler(const Settings& c) {
  return std::make_shared<SpanRuler>(SpanRulerSettings{
      c.spans_key, c.spans_filter, c.annotate_ents, c.ents_filter, c.phrase_matcher_attr,
      c.validate, c.overwrite, c.scorer.value_or(Scorer())});
}

const Registration registered =
    Registration{"span_ruler", span_ruler, "spans that patterns find"}.meta(R"({
  "default_score_weights": {"spans_ruler_f": 1.0, "spans_ruler_p": 0.0, "spans_ruler_r": 0.0,
                            "spans_ruler_per_type": null},
  "assigns": ["doc.spans"]
})");

}  // namespace
}  // namespace weft
