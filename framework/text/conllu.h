// Reads CoNLL-U: words with lemmas, parts of speech, features, heads and relations, and entities
// where the last column has some.
//
//   weft::ConlluReader reader("train.conllu", vocab);
//   while (auto doc = reader.next()) ...
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/io/input_lines.h"
#include "framework/io/read_budget.h"
#include "framework/io/seekable_input.h"
#include "framework/text/conllu_doc.h"
#include "framework/text/conllu_options.h"
#include "framework/text/conllu_sentence.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// One document is in memory at a time. A sentence becomes what spaCy 3.8 makes of it: words of
// multi-word tokens are tokens without spaces between them (unless they are merged), words that are
// not in the text are passed over, XPOS is the tag (UPOS where there is none), the relation root is
// ROOT. Sentences begin where the heads say so; the last word of a sentence that is not the
// document's last is followed by a space. A comment `# weft.unset = lemma heads` says which columns
// are not annotated (ConlluWriter). Not for several threads.
class WEFT_API ConlluReader {
 public:
  // Whether there are entities is looked for in the whole file: a pipe is put into a temporary file
  // first. Throws as InputStream.
  ConlluReader(std::string path, std::shared_ptr<const Vocab> vocab, ConlluOptions options = {});

  // The next document with at least one token, or nothing at the end of the file. Throws
  // Error(data) with file and line as parse_conllu, for features that do not parse, a line of more
  // than 16 MiB and a document that takes more memory than a ReadBudget allows.
  std::optional<Doc> next();

  // Behind an error: reading goes on with the next sentence, if there is a way to it.
  bool skip_row();

  const std::string& path() const { return path_; }
  // Where the document that `next` gave last begins: its first token's line, from 1.
  int first_line() const { return first_line_; }

 private:
  // Reads the lines of the next sentence; false at the end of the file.
  bool read_lines();
  [[noreturn]] void fail(const ConlluFault& fault) const;

  std::string path_;
  std::shared_ptr<const std::string> shared_path_;
  SeekableInput input_;
  InputLines file_;
  ReadBudget budget_;
  ConlluOptions options_;
  ConlluDocMaker maker_;
  std::vector<ConlluLine> lines_;
  std::optional<ConlluSentence> ahead_;  // begins the next document
  std::string buffer_;
  int first_line_ = 0;
};

}  // namespace weft
