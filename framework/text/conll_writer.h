// Writes documents with one token per line and a blank line after every sentence, which ConllReader
// reads back.
#pragma once

#include <optional>
#include <ostream>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API ConllWriter {
 public:
  // `out` outlives the writer. `docstart`: a -DOCSTART- line before every document, without which
  // every sentence is read back as a document.
  ConllWriter(std::ostream& out, bool docstart) : out_(out), docstart_(docstart) {}

  // Word and IOB2 tag ("-" for a token without annotation) with a tab between them; the part of
  // speech (`tag`) stands between the two if the first document has any. Tokens of nothing but
  // white space, which the format has no place for, are left out. Throws Error(data) for a word
  // with a tab or line break in it.
  void add(const Doc& doc);

 private:
  void write_sentence(const Doc& doc, int start, int end);

  std::ostream& out_;
  bool docstart_;
  std::optional<bool> with_tags_;
};

}  // namespace weft
