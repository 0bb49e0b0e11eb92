// Files of documents by the ending of their name. They appear whole or not at all.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

#include "framework/text/doc.h"
#include "framework/text/doc_json.h"
#include "registry/base/export.h"

namespace weft {

struct DocWriterOptions {
  DocJson json = DocJson::corpus;  // of .jsonl
  bool docstart = false;           // of .conll and .conllu: see ConllWriter, ConlluWriter
  std::string format = {};         // ".conllu"; "": by the ending of the name
};

// Whether a format is lines of tokens, which break texts up into sentences: .conll, .iob, .conllu.
WEFT_API bool is_token_lines(std::string_view format);

class WEFT_API DocWriter {
 public:
  virtual ~DocWriter() = default;
  // Throws Error(data) for what the format cannot hold, Error(system).
  virtual void add(const Doc& doc) = 0;
  // The same with further fields, `"id": 7, "meta": {}`, which JSON lines get behind their own.
  virtual void add_with(const Doc& doc, std::string_view fields);
  // Puts the file in its place; without it nothing is left behind. Throws Error(system).
  virtual void finish() = 0;
};

// .spacy, .jsonl, .conll, .iob or .conllu, each also with .gz, .zst or .xz behind it. Missing
// folders are made. Throws Error(usage) for another ending, Error(system) where the file cannot be
// made.
WEFT_API std::unique_ptr<DocWriter> open_doc_writer(const std::filesystem::path& file,
                                                    const DocWriterOptions& options);

// The same to a stream, which outlives the writer; `options.format` is given.
WEFT_API std::unique_ptr<DocWriter> stream_doc_writer(std::ostream& out,
                                                      const DocWriterOptions& options);

// JSON lines to a stream, which outlives the writer.
WEFT_API std::unique_ptr<DocWriter> json_line_writer(std::ostream& out, DocJson form);

}  // namespace weft
