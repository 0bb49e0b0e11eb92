// Span groups as bytes, in the two layouts of `.spacy` files and as spaCy 3.8 writes them.
#pragma once

#include <string>
#include <string_view>

#include "framework/io/read_budget.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Gives the document the groups in `bytes`, in the place of others. `name` is the source's, for
// messages. Throws Error(data) for damaged data, for spans that do not lie in the document, for a
// key that is there twice, and where the budget is used up: a group is stored once for all its
// keys, but the document has it under each of them. (In the older layout keys are not stored: of
// groups of one name the last stays.)
WEFT_API void unpack_span_groups(std::string_view bytes, const std::string& name,
                                 ReadBudget& budget, Doc& doc);

// The groups of a document; equal ones are stored once, under all their keys.
WEFT_API std::string pack_span_groups(const Doc& doc);

}  // namespace weft
