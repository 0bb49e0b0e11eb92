// The factory `beam_ner`: named entities, each the best of several analyses. spaCy 3.8.
#include "components/pipes/beam_fields.h"
#include "components/pipes/ner_factory.h"

namespace weft {

namespace {

struct BeamNer : NerFactory {
  BeamSettings beam{32, 0.01, 0.5};
};

template <class V>
void fields(V& v, BeamNer& c) {
  fields(v, static_cast<NerFactory&>(c));
  beam_fields(v, c.beam);
}

ComponentPtr beam_ner(const BeamNer& c) {
  return entity_recognizer(c, c.beam);
}

const Registration registered =
    Registration{"beam_ner", beam_ner, "named entities, by beam search"}.meta(kNerFacts);

}  // namespace

}  // namespace weft
