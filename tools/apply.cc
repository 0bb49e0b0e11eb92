#include <filesystem>
#include <iostream>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/document_files.h"
#include "framework/pipeline/worker_pool.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

constexpr std::size_t kDocumentsAtOnce = 1000;

// The words as they were given, without their annotation: that is what the pipeline adds.
Doc unannotated(const Doc& doc) {
  Doc plain(doc.vocab(), doc.tokens());
  plain.set_unknown_spaces(doc.has_unknown_spaces());
  return plain;
}

void annotate_all(const Language& nlp, const std::filesystem::path& input, DocumentWriter& writer,
                  WorkerPool& pool) {
  const auto documents = open_documents(input, nlp);
  const int configured = nlp.settings().batch_size.value_or(0);
  const std::size_t at_once =
      configured > 0 ? static_cast<std::size_t>(configured) : kDocumentsAtOnce;
  while (true) {
    std::vector<Doc> batch;
    while (batch.size() < at_once) {
      const auto doc = documents();
      if (!doc) break;
      batch.push_back(unannotated(*doc));
    }
    if (batch.empty()) return;
    std::vector<Doc*> pointers;
    for (Doc& doc : batch) pointers.push_back(&doc);
    nlp.annotate(pointers, pool);
    for (const Doc& doc : batch) writer.add(doc);
  }
}

}  // namespace

int run_apply(const Words& words) {
  CommandLine line("apply PIPELINE INPUT [--output FILE]",
                   "Annotates texts or documents with a pipeline.",
                   "weft apply out/model-best texts.txt --output ents.jsonl");
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("INPUT", ".txt (a text per line), .jsonl, .conll or .spacy");
  line.option("output,o", "FILE",
              ".jsonl, .conll or .spacy; JSON lines on standard output by default");
  line.accept_code();
  line.accept_gpu();
  line.accept_threads();
  if (!line.parse(words)) return 0;
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = load_pipeline(line.path("PIPELINE"), catalogue);
  WorkerPool pool(choose_threads(line.number("threads", 0)));
  const auto writer = open_writer(line.path("output"), std::cout);
  annotate_all(*nlp, line.path("INPUT"), *writer, pool);
  writer->finish();
  return 0;
}

}  // namespace weft::tools
