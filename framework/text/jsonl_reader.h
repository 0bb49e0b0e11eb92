// Reads JSON lines: one document per line, its entities by characters or by tokens.
//
//   {"text": "Anna lives here.", "entities": [[0, 4, "PER"]], "cats": {"short": 1.0}}
//   {"words": ["Anna", "lives"], "spaces": [true, false], "ner_tags": ["B-PER", "O"]}
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "framework/io/input_lines.h"
#include "framework/io/read_budget.h"
#include "framework/text/char_ents.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Makes a document out of running text; throws Error(data) where it cannot.
using MakeDoc = std::function<Doc(std::string_view text)>;

struct JsonlOptions {
  AlignmentPolicy on_misaligned = AlignmentPolicy::error;
  MisalignedSink tell;  // may be empty
};

// Keys of a line:
//   text              running text; or
//   words or tokens   a list of words (text or {"text": …, "ws": …}), with `spaces`, a list of
//   booleans;
//                     with both, the words have to spell the text and their spaces follow from it
//   entities, ents, spans, label or labels
//                     a list of [start, end, label] or {"start", "end", "label"}; also "start_char"
//                     and "end_char", "start_offset" and "end_offset", "kb_id", "id". Characters of
//                     `text`; tokens where the line has no text
//   ner_tags          one tag per word, in any scheme
//   cats              an object of numbers or booleans
// Other keys are left alone. Without any of the keys for entities a document has no annotation;
// with an empty list every token is outside. Not for several threads.
class WEFT_API JsonlReader {
 public:
  // Throws as InputFile where the file cannot be opened; pipes are read.
  JsonlReader(std::string path, std::shared_ptr<const Vocab> vocab, MakeDoc make_doc,
              JsonlOptions options = {});

  // The next document, or nothing at the end; blank lines are passed over. Throws Error(data) with
  // file and line for a line that is no such object or too long, one of more than 2097152 JSON
  // values, a document that takes more memory than a ReadBudget allows, and as
  // `set_ents_from_chars`.
  std::optional<Doc> next();

  const std::string& path() const { return path_; }
  int line() const { return line_; }  // of the document that `next` gave last

 private:
  Doc read_line();

  std::string path_;
  std::shared_ptr<const Vocab> vocab_;
  MakeDoc make_doc_;
  JsonlOptions options_;
  InputLines file_;
  std::string buffer_;
  int line_ = 0;
  std::size_t documents_ = 0;
  ReadBudget budget_;
};

}  // namespace weft
