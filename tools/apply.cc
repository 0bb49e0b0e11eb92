#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/doc_writer.h"
#include "registry/base/error.h"
#include "tools/commands.h"
#include "tools/documents.h"
#include "tools/entity_lines.h"
#include "tools/precision_option.h"
#include "tools/setup.h"
#include "tools/terminal.h"

namespace weft::tools {
namespace {

// Documents annotated together. Not a function of the threads, on which no result depends.
constexpr std::size_t kDocsPerBatch = 1024;
constexpr std::size_t kTokensPerBatch = std::size_t{1} << 16;

// What the pipeline is given: words with their norms, spacing and sentences, but no annotation of
// the input.
Doc unannotated(const Doc& doc) {
  Doc plain(doc.vocab(), doc.tokens());
  plain.set_strings(doc.strings());
  plain.set_unknown_spaces(doc.has_unknown_spaces());
  if (doc.has_sents()) {
    plain.set_sent_starts({doc.sent_starts().begin(), doc.sent_starts().end()});
  }
  return plain;
}

// Keeps a pipeline to the end of the process, which gives all its memory back at once: to take it
// apart before takes longer.
void keep_to_the_end(std::shared_ptr<Language> nlp) {
  static auto& kept = *new std::vector<std::shared_ptr<Language>>;
  kept.push_back(std::move(nlp));
}

// Annotates documents as they come, a batch at a time, and writes them.
class Annotator {
 public:
  Annotator(const Language& nlp, int threads, DocWriter& writer)
      : nlp_(nlp), pool_(threads), writer_(writer) {}

  void take(const Doc& doc) {
    docs_.push_back(unannotated(doc));
    tokens_ += static_cast<std::size_t>(doc.size());
    if (docs_.size() >= kDocsPerBatch || tokens_ >= kTokensPerBatch) flush();
  }

  void flush() {
    std::vector<Doc*> batch;
    for (Doc& doc : docs_) {
      if (!doc.empty()) batch.push_back(&doc);
    }
    nlp_.annotate(batch, pool_);
    for (const Doc& doc : docs_) writer_.add(doc);
    count_ += docs_.size();
    docs_.clear();
    tokens_ = 0;
  }

  std::size_t count() const { return count_; }

 private:
  const Language& nlp_;
  WorkerPool pool_;
  DocWriter& writer_;
  std::vector<Doc> docs_;
  std::size_t tokens_ = 0;
  std::size_t count_ = 0;
};

std::unique_ptr<DocWriter> open_output(const CommandLine& line, const Converter& converter,
                                       const ConverterInput& source, JsonOutput& json) {
  const std::string output = line.text("output");
  if (line.has("entities")) {
    if (!output.empty()) throw Error(ErrorKind::usage, "--entities prints; it takes no --output");
    return entity_lines(std::cout);
  }
  if (output.empty()) return json_line_writer(json, DocJson::prediction);
  return open_doc_writer(
      output, {.json = DocJson::prediction, .docstart = needs_docstart(converter, source, output)});
}

}  // namespace

int run_apply(const Words& words) {
  CommandLine line("apply PIPELINE INPUT [options]",
                   "Annotates documents: entities and whatever the pipeline predicts.",
                   "weft apply out/model-best texts.txt --output entities.jsonl");
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("INPUT",
                  ".txt (a text per line, empty lines passed over), .jsonl, .conll or .spacy");
  line.option("output,o", "FILE",
              ".jsonl, .conll or .spacy; JSON lines on standard output without");
  line.flag("entities", "print each text and its entities for people to read");
  line.option("converter", "NAME", "read INPUT as this format, whatever its ending");
  line.accept_precision();
  line.accept_json();
  line.accept_code();
  line.accept_gpu();
  line.accept_threads();
  if (!line.parse(words)) return 0;
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const std::string input = line.text("INPUT");
  if (line.has("output")) refuse_output_on_input(line.path("output"), input);
  const Converter converter = converter_of(line.text("converter"), input, catalogue);
  const auto nlp = load_pipeline(line.path("PIPELINE"), catalogue);
  run_on_gpu(*nlp, line.number("gpu-id", -1));
  follow_precision(line, *nlp);
  const ConverterInput source{
      .path = input,
      .vocab = nlp->vocab(),
      .make_doc = [&](std::string_view text) { return nlp->make_doc(text); },
      .on_misaligned = AlignmentPolicy::drop};
  JsonOutput json;
  const auto writer = open_output(line, converter, source, json);
  Annotator annotator(*nlp, choose_threads(line.number("threads", 0)), *writer);
  converter.read(source, [&](const Doc& doc) { annotator.take(doc); });
  annotator.flush();
  if (annotator.count() == 0) {
    throw Error(ErrorKind::data, fmt::format("{} holds no document", input));
  }
  writer->finish();
  keep_to_the_end(nlp);
  if (line.has("output")) {
    std::cerr << fmt::format("{} documents in {}\n", annotator.count(), line.text("output"));
  }
  return 0;
}

}  // namespace weft::tools
