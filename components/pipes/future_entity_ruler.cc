// The factory `future_entity_ruler`: entities that patterns find, by way of a span ruler.
// spaCy 3.8.
#include <memory>
#include <optional>
#include <string>

#include "components/pipes/span_ruler.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings : PatternSettings {
  bool overwrite_ents = false;
  std::optional<Scorer> scorer;
  std::string ent_id_sep = "__unused__";
};

template <class V>
void fields(V& v, Settings& c) {
  pattern_fields(v, c);
  v("overwrite_ents", c.overwrite_ents, "replace entities that overlap new ones");
  v.block("scorer", c.scorer, kEntityRulerScorer, "how entities are scored");
  v("ent_id_sep", c.ent_id_sep, "a text", Ignored{"ids are kept apart from labels"});
}

ComponentPtr future_entity_ruler(const Settings& c) {
  const SpanFilter filter{c.overwrite_ents ? prioritise_new_spans : prioritise_base_spans};
  return std::make_shared<SpanRuler>(SpanRulerSettings{
      {}, {}, true, filter, c.phrase_matcher_attr, c.validate, false, c.scorer.value_or(Scorer())});
}

const Registration registered =
    Registration{"future_entity_ruler", future_entity_ruler, "entities that patterns find"}.meta(
        R"({
  "default_score_weights": {"ents_f": 1.0, "ents_p": 0.0, "ents_r": 0.0, "ents_per_type": null},
  "assigns": ["doc.ents"]
})");

}  // namespace
}  // namespace weft
