// Documents of any file that weft reads or writes, by the file's ending.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "framework/pipeline/language.h"
#include "framework/text/doc.h"

namespace weft {

// Opens a file as a stream of documents with whatever annotation it carries:
//   .txt, .text        a text on each line, tokenized
//   .jsonl, .ndjson    JSON lines (see JsonlReader)
//   .conll, .iob, .iob2, .tsv, .bio   words with tags, a document per sentence
//   .json              the training format of spaCy 2
//   .spacy or folder   DocBin
// Throws Error(usage) if the file is not there or its ending is another; the stream throws
// Error(data).
WEFT_API std::function<std::optional<Doc>()> open_documents(const std::filesystem::path& file,
                                                            const Language& nlp);

// Writes documents one after the other.
class WEFT_API DocumentWriter {
 public:
  virtual ~DocumentWriter() = default;
  virtual void add(const Doc& doc) = 0;
  // Completes the file; nothing is there under its name before.
  virtual void finish() = 0;
};

// By the ending of `file`: .spacy, .jsonl, .conll or .iob. "" or "-": JSON lines to `out`. Throws
// Error(usage) for another ending, Error(system) if it cannot be written.
WEFT_API std::unique_ptr<DocumentWriter> open_writer(const std::filesystem::path& file,
                                                     std::ostream& out);

}  // namespace weft
