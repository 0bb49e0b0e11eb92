// Spans of a document as single tokens. Source: spaCy 3.8, https://spacy.io/api/doc#retokenize.
#pragma once

#include <span>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Each span becomes a token with the annotation of its root; `Span::label` that is not 0 is the
// token's entity type. Norms follow from the new words, lemmas are joined. Sentence starts follow
// from the heads where there is a parse. Groups of spans keep those that lie on token boundaries
// still. Throws Error(data) where spans share a token.
WEFT_API void merge_tokens(Doc& doc, std::vector<Span> spans);

// Runs of tokens with that dependency label, each with the token behind it, as single tokens.
WEFT_API void merge_labelled(Doc& doc, StringId label);

// The token of a span that the others hang on: the first that is its own head, else the one nearest
// to the root among those whose head lies outside. A space or a punctuation mark on which nothing
// hangs is taken where there is no other. Source: spaCy 3.8, Span.root.
WEFT_API int span_root(const Doc& doc, int start, int end);

}  // namespace weft
