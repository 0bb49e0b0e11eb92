// Entity marks of the tokens of a batch, before the recognizer runs and after.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/ops/transition.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// The annotation of all tokens of a batch, one array for each property.
class WEFT_API TokenMarks {
 public:
  explicit TokenMarks(std::span<const Doc* const> docs);
  transition::TokenMarks view() const {
    return {iob_.data(), type_.data(), sent_start_.data(), is_space_.data()};
  }

 private:
  std::vector<std::uint8_t> iob_;
  std::vector<std::uint64_t> type_;
  std::vector<std::int8_t> sent_start_;
  std::vector<std::uint8_t> is_space_;
};

// A parse at the first token of every document, in order; rows count on over the documents.
WEFT_API std::vector<transition::State> first_states(std::span<const Doc* const> docs);

// Writes the result of a parse into the document. `classes` holds the class taken at each token, as
// far as the parse went. Closed entities with a label overwrite the annotation of their tokens,
// other tokens keep theirs, and what is still unset becomes outside (spaCy 3.8).
WEFT_API void annotate(Doc& doc, std::span<const std::int32_t> classes,
                       std::span<const transition::Action> actions);

}  // namespace weft
