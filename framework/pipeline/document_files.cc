#include "framework/pipeline/document_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <ostream>

#include <fmt/format.h>

#include "framework/text/conll.h"
#include "framework/text/doc_bin.h"
#include "framework/text/doc_lines.h"
#include "framework/text/jsonl_reader.h"
#include "framework/text/spacy_json.h"
#include "framework/training/corpus_examples.h"
#include "framework/training/text_lines.h"
#include "registry/error.h"
#include "registry/json.h"

namespace weft {
namespace {

namespace fs = std::filesystem;

DocSource text_documents(const fs::path& file, const Language& nlp) {
  auto lines = std::make_shared<TextLines>(std::vector<std::string>{file.string()});
  return [lines, &nlp]() -> std::optional<Doc> {
    while (const auto line = lines->next()) {
      if (!line->empty()) return nlp.make_doc(*line);
    }
    return std::nullopt;
  };
}

DocSource jsonl_documents(const fs::path& file, const Language& nlp) {
  const auto make = [&nlp](std::string_view text) { return nlp.make_doc(text); };
  auto reader = std::make_shared<JsonlReader>(file.string(), nlp.vocab(), make);
  return [reader] { return reader->next(); };
}

// That reader pushes its documents; they wait here.
DocSource json_documents(const fs::path& file, const Language& nlp) {
  auto documents = std::make_shared<std::deque<Doc>>();
  read_spacy_json(file.string(), nlp.vocab(),
                  [&](Doc doc) { documents->push_back(std::move(doc)); });
  return [documents]() -> std::optional<Doc> {
    if (documents->empty()) return std::nullopt;
    Doc doc = std::move(documents->front());
    documents->pop_front();
    return doc;
  };
}

bool is_one_of(const std::string& ending, std::initializer_list<std::string_view> endings) {
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

// Lines of text, to a stream or to a file that gets its name at the end.
class LineWriter : public DocumentWriter {
 public:
  using Format = std::string (*)(const Doc&);
  LineWriter(fs::path file, std::ostream& out, Format format)
      : file_(std::move(file)), out_(out), format_(format) {
    if (file_.empty()) return;
    part_ = file_;
    part_ += ".part";
    if (file_.has_parent_path()) fs::create_directories(file_.parent_path());
    stream_.open(part_, std::ios::binary);
    check(stream_);
  }
  ~LineWriter() override {
    std::error_code ignored;
    if (!part_.empty()) fs::remove(part_, ignored);
  }

  void add(const Doc& doc) override {
    std::ostream& stream = file_.empty() ? out_ : stream_;
    stream << format_(doc);
    check(stream);
  }
  void finish() override {
    if (file_.empty()) return check(out_.flush());
    stream_.close();
    check(stream_);
    fs::rename(part_, file_);
    part_.clear();
  }

 private:
  void check(const std::ostream& stream) const {
    if (stream) return;
    const std::string name = file_.empty() ? "the output" : file_.string();
    throw Error(ErrorKind::system, fmt::format("cannot write {}: {}", name, std::strerror(errno)));
  }

  fs::path file_;
  fs::path part_;
  std::ostream& out_;
  std::ofstream stream_;
  Format format_;
};

class BinWriter : public DocumentWriter {
 public:
  explicit BinWriter(fs::path file) : file_(std::move(file)) {}
  void add(const Doc& doc) override { writer_.add(doc); }
  void finish() override { writer_.write(file_.string()); }

 private:
  fs::path file_;
  DocBinWriter writer_;
};

std::string json_line(const Doc& doc) {
  return to_json(doc_to_json(doc)) + '\n';
}

}  // namespace

std::function<std::optional<Doc>()> open_documents(const fs::path& file, const Language& nlp) {
  if (!fs::exists(file)) {
    throw Error(ErrorKind::usage, fmt::format("there is no file or folder '{}'", file.string()));
  }
  const std::string ending = file.extension().string();
  if (fs::is_directory(file) || ending == ".spacy") return doc_bin_documents(file, nlp.vocab());
  if (is_one_of(ending, {".txt", ".text"})) return text_documents(file, nlp);
  if (is_one_of(ending, {".jsonl", ".ndjson"})) return jsonl_documents(file, nlp);
  if (ending == ".json") return json_documents(file, nlp);
  if (is_one_of(ending, {".conll", ".iob", ".iob2", ".bio", ".tsv"})) {
    return conll_documents(file, nlp.vocab());
  }
  throw Error(ErrorKind::usage,
              fmt::format("{}: the ending is none of .txt, .jsonl, .conll, .iob, .json, .spacy",
                          file.string()));
}

std::unique_ptr<DocumentWriter> open_writer(const fs::path& file, std::ostream& out) {
  const std::string ending = file.extension().string();
  if (file.empty() || file == "-") return std::make_unique<LineWriter>("", out, json_line);
  if (ending == ".jsonl") return std::make_unique<LineWriter>(file, out, json_line);
  if (is_one_of(ending, {".conll", ".iob"})) {
    return std::make_unique<LineWriter>(file, out, doc_to_conll);
  }
  if (ending == ".spacy") return std::make_unique<BinWriter>(file);
  throw Error(ErrorKind::usage,
              fmt::format("{}: the ending is none of .spacy, .jsonl, .conll", file.string()));
}

}  // namespace weft
