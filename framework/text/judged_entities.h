// Which predicted entities are right, by the annotation of the reference.
#pragma once

#include <string>
#include <vector>

#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

enum class Judgement { right, wrong, unknown };

struct JudgedEntity {
  Span entity;  // of the predicted document
  Judgement judgement = Judgement::unknown;
};

struct JudgedEntities {
  std::vector<JudgedEntity> predicted;  // in their order
  std::vector<std::string> missed;      // labels of the reference's entities that were not found
};

// An entity is right if the reference has one with its label over the tokens that it is aligned
// with. Nothing is known of entities that no token of the reference is aligned with, and of those
// that touch one without annotation (spaCy 3.8; docs/ner-model.md 7.3).
WEFT_API JudgedEntities judged_entities(const Example& example);

}  // namespace weft
