#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/document_files.h"
#include "framework/pipeline/load_config.h"
#include "registry/error.h"
#include "tools/commands.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

// A pipeline without components: the tokenizer of a language.
std::shared_ptr<Language> blank(const std::string& lang, const Catalogue& catalogue) {
  Config config;
  Object nlp;
  nlp.set("lang", lang);
  config.root().set("nlp", std::move(nlp));
  Problems problems;
  const Config filled = fill_pipeline_config(config, catalogue, problems);
  settle(problems);
  return build_pipeline(filled, catalogue);
}

}  // namespace

int run_convert(const Words& words) {
  CommandLine line("convert INPUT OUTPUT [options]",
                   "Converts annotated documents between formats, by the endings of the files.",
                   "weft convert train.iob train.spacy");
  line.positional("INPUT", ".conll, .iob, .jsonl, .json (spaCy 2), .txt or .spacy");
  line.positional("OUTPUT", ".spacy, .jsonl or .conll; - for JSON lines on standard output");
  line.option("lang,l", "CODE", "language whose tokenizer cuts running text; en by default");
  line.accept_code();
  if (!line.parse(words)) return 0;
  const Catalogue catalogue = load_catalogue(line);
  const auto nlp = blank(line.has("lang") ? line.text("lang") : "en", catalogue);
  const auto documents = open_documents(line.path("INPUT"), *nlp);
  const auto writer = open_writer(line.path("OUTPUT"), std::cout);
  std::int64_t count = 0;
  while (const auto doc = documents()) {
    writer->add(*doc);
    ++count;
  }
  if (count == 0) {
    throw Error(ErrorKind::data, fmt::format("{} holds no document", line.text("INPUT")));
  }
  writer->finish();
  std::cerr << fmt::format("{} documents written to {}\n", count, line.text("OUTPUT"));
  return 0;
}

}  // namespace weft::tools
