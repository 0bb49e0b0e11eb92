// The factory `ner`: named entity recognition by transitions. spaCy 3.8.
#include "components/pipes/ner_factory.h"

namespace weft {

namespace {

ComponentPtr ner(const NerFactory& c) {
  return entity_recognizer(c, {});
}

const Registration registered = Registration{"ner", ner, "named entities"}.meta(kNerFacts);

}  // namespace

}  // namespace weft
