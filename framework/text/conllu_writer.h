// Writes documents as CoNLL-U, which ConlluReader reads back.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

class WEFT_API ConlluWriter {
 public:
  // `out` outlives the writer. `newdoc`: a comment "# newdoc" before every document, without which
  // every sentence is read back as a document.
  ConlluWriter(std::ostream& out, bool newdoc) : out_(out), newdoc_(newdoc) {}

  // Each sentence with its number and text as comments. Entities go into the last column as
  // NE=B-LABEL and NE=I-LABEL, as weft.NE=B-label where spaCy could not read the label. Columns
  // that no word of the sentence has are named in a comment `# weft.unset = lemma heads`. Tokens of
  // nothing but white space, which the format has no place for, are left out. Throws Error(data)
  // for a word or a value with a tab or a line break in it, and for a head in another sentence.
  void add(const Doc& doc);

 private:
  struct Sentence;
  void write_comments(const Sentence& sentence, bool first);
  void write_word(Sentence& sentence, int token);
  std::string misc_of(const Sentence& sentence, int token);

  std::ostream& out_;
  bool newdoc_;
  bool any_entity_tag_ = false;  // is written: without one, nothing is annotated in a file
  std::int64_t sentences_ = 0;
};

}  // namespace weft
