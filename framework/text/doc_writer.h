// Files of documents by the ending of their name. They appear whole or not at all.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>

#include "framework/text/doc.h"
#include "framework/text/doc_json.h"
#include "registry/base/export.h"

namespace weft {

struct DocWriterOptions {
  DocJson json = DocJson::corpus;  // of .jsonl
  bool docstart = false;           // of .conll: see ConllWriter
};

class WEFT_API DocWriter {
 public:
  virtual ~DocWriter() = default;
  // Throws Error(data) for what the format cannot hold, Error(system).
  virtual void add(const Doc& doc) = 0;
  // Puts the file in its place; without it nothing is left behind. Throws Error(system).
  virtual void finish() = 0;
};

// .spacy, .jsonl, .conll or .iob. Missing folders are made. Throws Error(usage) for another ending,
// Error(system) where the file cannot be made.
WEFT_API std::unique_ptr<DocWriter> open_doc_writer(const std::filesystem::path& file,
                                                    const DocWriterOptions& options);

// JSON lines to a stream, which outlives the writer.
WEFT_API std::unique_ptr<DocWriter> json_line_writer(std::ostream& out, DocJson form);

}  // namespace weft
