// The gold side of one training example for the entity recognizer, and where its parses start
// (docs/ner-model.md 3.1, 3.2 and 3.4; spaCy 3.8).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/ops/transition_system.h"
#include "framework/parser/oracle.h"
#include "framework/text/example.h"
#include "framework/text/gold_tag.h"
#include "registry/base/export.h"

namespace weft {

// Gold tags of the predicted tokens (docs/ner-model.md 3.1). All missing where the reference has no
// entity annotation.
WEFT_API std::vector<GoldTag> gold_tags(const Example& example);

// True if the reference says anything about entities: some token's annotation is not missing, or a
// span that is known to be wrong (group `negative_key`) stands there.
WEFT_API bool has_entity_gold(const Example& example,
                              const std::optional<std::string>& negative_key);

// The same for what is aligned with predicted tokens [start, end); for the whole reference where
// nothing is aligned with exactly these.
WEFT_API bool has_entity_gold(const Example& example,
                              const std::optional<std::string>& negative_key, int start, int end);

// Spans that are known to be wrong, as predicted tokens. Throws Error(data) where one of them is an
// entity of the reference.
WEFT_API std::vector<transition::NegativeSpan> negative_spans(
    const Example& example, const std::optional<std::string>& negative_key);

using OracleView = Oracle<transition::EntitySystem>;

// Where to start when pieces are about `max_moves` tokens long (0: never cut): the document as it
// is if it is shorter, else the pieces of it that carry annotation.
WEFT_API std::vector<transition::State> training_states(
    const Example& example, const std::optional<std::string>& negative_key,
    const transition::State& start, const OracleView& oracle, int max_moves);

}  // namespace weft
