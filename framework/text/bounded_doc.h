// Running text becomes a document within the budget of the file that it is from: a short line can
// have as many tokens as bytes, and a pipeline takes some two kilobytes for each of them.
#pragma once

#include <string_view>

#include "framework/io/read_budget.h"
#include "framework/text/doc.h"

namespace weft {

// The document that `make_doc` makes. Throws Error(data) where the text, or then its tokens, are
// more than the budget allows for one document; earlier charges are forgotten.
template <class MakeDoc>
Doc bounded_doc(ReadBudget& budget, const MakeDoc& make_doc, std::string_view text) {
  budget.release_to(0);
  budget.charge(ReadBudget::kTextByte * text.size(), "the text of a document");
  Doc doc = make_doc(text);
  budget.release_to(0);
  budget.charge(ReadBudget::kToken * doc.tokens()->size(), "the tokens of a document");
  return doc;
}

}  // namespace weft
