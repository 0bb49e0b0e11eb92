// How sure the component that found it is of an entity of a document, from 0 to 1
// (docs/confidence.md). Kept with the document's tokens: slices and copies have it, files do not.
#pragma once

#include <optional>
#include <span>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// None where nobody said so of an entity with this place and label.
WEFT_API std::optional<double> ent_confidence(const Doc& doc, const Span& entity);
struct EntConfidence {
  Span entity;
  double confidence = 0;
};
// To seven digits. Numbers outside of the range are moved to its ends. Entities that are not named
// keep theirs.
WEFT_API void set_ent_confidences(Doc& doc, std::span<const EntConfidence> confidences);
// Takes the entities away whose confidence is below `least`; those without one stay.
WEFT_API void drop_ents_below(Doc& doc, double least);

}  // namespace weft
