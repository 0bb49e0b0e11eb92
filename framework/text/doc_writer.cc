#include "framework/text/doc_writer.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "framework/io/compressed_file.h"
#include "framework/io/made_folders.h"
#include "framework/text/conll_writer.h"
#include "framework/text/conllu_writer.h"
#include "framework/text/doc_bin.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 5> kFormats = {".spacy", ".jsonl", ".conll", ".iob",
                                                      ".conllu"};

void require_good(const std::ostream& out) {
  if (!out) throw Error(ErrorKind::system, "the output cannot be written");
}

// The last lines may still stand in the stream's buffer, where no write has failed yet.
void flush(std::ostream& out) {
  out.flush();
  require_good(out);
}

class DocBinFile : public DocWriter {
 public:
  explicit DocBinFile(std::ostream& out) : out_(out) {}
  void add(const Doc& doc) override { writer_.add(doc); }
  void finish() override {
    out_ << writer_.to_bytes();
    flush(out_);
  }

 private:
  std::ostream& out_;
  DocBinWriter writer_;
};

class JsonLines : public DocWriter {
 public:
  JsonLines(std::ostream& out, DocJson form) : out_(out), form_(form) {}
  void add(const Doc& doc) override { add_with(doc, {}); }
  void add_with(const Doc& doc, std::string_view fields) override {
    std::string line = to_json_line(doc, form_);
    if (!fields.empty()) {
      line.back() = ',';
      line.append(" ").append(fields).append("}");
    }
    out_ << line << '\n';
    require_good(out_);
  }
  void finish() override { flush(out_); }

 private:
  std::ostream& out_;
  DocJson form_;
};

// CoNLL and CoNLL-U, whose writers have the same functions.
template <class Writer>
class TokenLines : public DocWriter {
 public:
  TokenLines(std::ostream& out, bool docstart) : out_(out), writer_(out, docstart) {}
  void add(const Doc& doc) override {
    writer_.add(doc);
    require_good(out_);
  }
  void finish() override { flush(out_); }

 private:
  std::ostream& out_;
  Writer writer_;
};

class DocFile : public DocWriter {
 public:
  DocFile(const std::filesystem::path& file, const DocWriterOptions& options)
      : around_(file.parent_path()),
        file_(file),
        writer_(stream_doc_writer(file_.stream(), options)) {}
  void add(const Doc& doc) override { add_with(doc, {}); }
  void add_with(const Doc& doc, std::string_view fields) override {
    saying_why([&] { writer_->add_with(doc, fields); });
  }
  void finish() override {
    saying_why([&] { writer_->finish(); });
    file_.commit();
  }

 private:
  template <class Write>
  void saying_why(Write write) {
    try {
      write();
    } catch (const Error&) {
      if (!file_.stream()) file_.commit();  // which throws with the reason
      throw;
    }
  }

  MadeFolders around_;
  CompressedFile file_;
  std::unique_ptr<DocWriter> writer_;
};

}  // namespace

bool is_token_lines(std::string_view format) {
  return format == ".conll" || format == ".iob" || format == ".conllu";
}

void DocWriter::add_with(const Doc& doc, std::string_view /*fields*/) {
  add(doc);
}

std::unique_ptr<DocWriter> open_doc_writer(const std::filesystem::path& file,
                                           const DocWriterOptions& options) {
  DocWriterOptions known = options;
  if (known.format.empty()) known.format = format_ending(file);
  if (std::find(kFormats.begin(), kFormats.end(), known.format) == kFormats.end()) {
    const bool by_name = known.format == format_ending(file);  // else an option said the format
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: documents are written as .spacy, .jsonl, .conll, .iob or .conllu",
                    by_name ? file.string() : "the format " + printable_brief(known.format)));
  }
  return std::make_unique<DocFile>(file, known);
}

std::unique_ptr<DocWriter> stream_doc_writer(std::ostream& out, const DocWriterOptions& options) {
  if (options.format == ".spacy") return std::make_unique<DocBinFile>(out);
  if (options.format == ".jsonl") return json_line_writer(out, options.json);
  if (options.format == ".conllu") {
    return std::make_unique<TokenLines<ConlluWriter>>(out, options.docstart);
  }
  return std::make_unique<TokenLines<ConllWriter>>(out, options.docstart);
}

std::unique_ptr<DocWriter> json_line_writer(std::ostream& out, DocJson form) {
  return std::make_unique<JsonLines>(out, form);
}

}  // namespace weft
