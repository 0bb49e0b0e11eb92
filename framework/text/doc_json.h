// A document as one line of JSON.
#pragma once

#include <string>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

enum class DocJson {
  // Every field: text, tokens, spaces, ents ({start, end, start_char, end_char, label}), cats; and
  // what is annotated of tags, pos, morphs, lemmas (one text for each token), sents ({start, end})
  // and spans, groups by their keys ({start, end, label, kb_id} by characters).
  prediction,
  // The keys by which JsonlReader makes the same document again: `text` and `spaces` only where the
  // spacing is known, `ents` only where entities are annotated, and `ner_tags` in their place where
  // some tokens are not.
  corpus,
};

// Without a line break. UTF-8; control characters are escaped, so that the line can go to a
// terminal. Throws Error(data) as Doc::ents, and for a line of more than 256 MiB and 256 bytes for
// each token (docs/limits.md).
WEFT_API std::string to_json_line(const Doc& doc, DocJson form);

}  // namespace weft
