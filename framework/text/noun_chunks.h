// Base noun phrases of a parsed document: a noun and what belongs to it, but no clause and no other
// phrase inside. Each language has rules of its own, written for the labels of its treebanks.
// Source: spaCy 3.8, https://spacy.io/api/doc#noun_chunks; docs/parsing.md.
#pragma once

#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// By the rules of the document's language (de, en, es, fr, it, nl, pt), labelled "NP" and in order;
// none overlaps another. None of a document without labels. Throws Error(config) for a language
// without rules.
WEFT_API std::vector<Span> noun_chunks(const Doc& doc);

}  // namespace weft
