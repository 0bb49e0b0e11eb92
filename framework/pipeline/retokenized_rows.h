// Token vectors of documents whose tokens were joined or split after the vectors were made.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/nn/value.h"
#include "framework/text/token_table.h"
#include "registry/base/export.h"

namespace weft {

class Context;

// The tokens that the rows of an output stand for, document by document.
using Tokenizations = std::vector<std::shared_ptr<const TokenTable>>;
WEFT_API Tokenizations tokenizations_of(DocBatch docs);

// Whether documents have other tokens now; false where `then` is empty, as an output may have no
// row for each token. Throws Error(internal) for another number of documents.
WEFT_API bool are_retokenized(const Tokenizations& then, DocBatch docs);

// For each token of `now` the token of `then`, of the same text, whose row it takes: its own, the
// last one of those that were joined, -1 for a piece of one that was split (spaCy 3.8,
// _retokenize.pyx: doc.tensor).
WEFT_API std::vector<std::int32_t> rows_after(const TokenTable& then, const TokenTable& now);

// An output for the tokens that the documents have now; a row of zeros for -1 above. In memory of
// the context.
WEFT_API Ragged retokenized_rows(Context& ctx, const Value& output, const Tokenizations& then,
                                 DocBatch docs);

}  // namespace weft
