#include "framework/text/doc_writer.h"

#include <ostream>
#include <string>
#include <utility>

#include "framework/io/atomic_file.h"
#include "framework/text/conll_writer.h"
#include "framework/text/doc_bin.h"
#include "registry/base/error.h"

namespace weft {
namespace {

class DocBinFile : public DocWriter {
 public:
  explicit DocBinFile(std::filesystem::path file) : file_(std::move(file)) {}
  void add(const Doc& doc) override { writer_.add(doc); }
  void finish() override { writer_.write(file_.string()); }

 private:
  std::filesystem::path file_;
  DocBinWriter writer_;
};

class JsonLines : public DocWriter {
 public:
  JsonLines(std::ostream& out, DocJson form) : out_(out), form_(form) {}
  void add(const Doc& doc) override {
    out_ << to_json_line(doc, form_) << '\n';
    if (!out_) throw Error(ErrorKind::system, "the output cannot be written");
  }
  void finish() override { out_.flush(); }

 private:
  std::ostream& out_;
  DocJson form_;
};

class JsonlFile : public DocWriter {
 public:
  JsonlFile(const std::filesystem::path& file, DocJson form)
      : file_(file), lines_(file_.stream(), form) {}
  void add(const Doc& doc) override { lines_.add(doc); }
  void finish() override { file_.commit(); }

 private:
  AtomicFile file_;
  JsonLines lines_;
};

class ConllFile : public DocWriter {
 public:
  ConllFile(const std::filesystem::path& file, bool docstart)
      : file_(file), writer_(file_.stream(), docstart) {}
  void add(const Doc& doc) override { writer_.add(doc); }
  void finish() override { file_.commit(); }

 private:
  AtomicFile file_;
  ConllWriter writer_;
};

}  // namespace

std::unique_ptr<DocWriter> open_doc_writer(const std::filesystem::path& file,
                                           const DocWriterOptions& options) {
  const std::string ending = file.extension().string();
  const bool known =
      ending == ".spacy" || ending == ".jsonl" || ending == ".conll" || ending == ".iob";
  if (!known) {
    throw Error(ErrorKind::usage,
                file.string() + ": documents are written as .spacy, .jsonl or .conll");
  }
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
  if (ending == ".spacy") return std::make_unique<DocBinFile>(file);
  if (ending == ".jsonl") return std::make_unique<JsonlFile>(file, options.json);
  return std::make_unique<ConllFile>(file, options.docstart);
}

std::unique_ptr<DocWriter> json_line_writer(std::ostream& out, DocJson form) {
  return std::make_unique<JsonLines>(out, form);
}

}  // namespace weft
