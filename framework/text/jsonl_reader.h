// Reads records in JSON: one on each line, or the elements of one list. The forms of a record
// are a table of shapes (framework/text/records/shapes.h, docs/data.md).
//
//   {"text": "Anna lives here.", "entities": [[0, 4, "PER"]], "cats": {"short": 1.0}}
//   {"words": ["Anna", "lives"], "spaces": [true, false], "ner_tags": ["B-PER", "O"]}
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/io/read_budget.h"
#include "framework/text/char_ents.h"
#include "framework/text/corpus_tells.h"
#include "framework/text/doc.h"
#include "framework/text/records/annotated_record.h"
#include "framework/text/records/file_classes.h"
#include "framework/text/records/record_texts.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// Makes a document out of running text; throws Error(data) where it cannot.
using MakeDoc = std::function<Doc(std::string_view text)>;

struct JsonlOptions {
  AlignmentPolicy on_misaligned = AlignmentPolicy::error;
  MisalignedSink tell = {};   // may be empty
  LeftOutSink left_out = {};  // 〃
  RecordOptions records = {};
  bool text_only = false;  // as ConverterInput
};

// Without any of the keys for entities a document has no annotation of them; with an empty list
// every token is outside. Records that their annotator rejected or ignored are left out. Where
// records name the classes of their text, all other classes of the file are 0 for it: for that the
// file is read twice, unless it is a pipe. Not for several threads.
class WEFT_API JsonlReader {
 public:
  // Throws as InputFile where the file cannot be opened; pipes are read.
  JsonlReader(std::string path, std::shared_ptr<const Vocab> vocab, MakeDoc make_doc,
              JsonlOptions options = {});

  // The next document, or nothing at the end; blank lines are passed over. Throws Error(data) with
  // file and line for what is no record of a known shape or too long, for one of more than 2097152
  // JSON values, a document that takes more memory than a ReadBudget allows, and as
  // `set_ents_from_chars`.
  std::optional<Doc> next();

  // Behind an Error(data): whether `next` can read on.
  bool skip_row() const { return texts_.goes_on(); }

  const std::string& path() const { return path_; }
  int line() const { return texts_.line(); }  // of the document that `next` gave last
  // The record that it is from; null for an empty line.
  const Node* record() const { return record_ ? &*record_ : nullptr; }

 private:
  std::optional<Doc> read_record();
  Doc doc_of(AnnotatedRecord record);
  Doc doc_of_text();
  void annotate(Doc& doc, const AnnotatedRecord& record);
  void settle_classes(AnnotatedRecord& record);

  std::string path_;
  std::shared_ptr<const Vocab> vocab_;
  MakeDoc make_doc_;
  JsonlOptions options_;
  RecordTexts texts_;
  std::string buffer_;
  std::optional<Node> record_;
  std::size_t documents_ = 0;
  ReadBudget budget_;
  std::optional<FileClasses> classes_;  // of the file, once they are needed
};

}  // namespace weft
