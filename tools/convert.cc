#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "components/languages/language_data.h"
#include "framework/text/doc_writer.h"
#include "framework/text/make_doc.h"
#include "framework/text/warning_limit.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/documents.h"
#include "tools/setup.h"

namespace weft::tools {
namespace {

// Cuts running text by the rules of a language; without one, words have to be given.
MakeDoc text_by(const std::string& lang, const std::shared_ptr<const Vocab>& vocab) {
  if (lang.empty()) {
    return [](std::string_view) -> Doc {
      throw Error(ErrorKind::usage,
                  "the input has running text: --lang CODE says by whose rules it is cut");
    };
  }
  auto tokenizer = std::make_shared<const Tokenizer>(language_tokenizer_rules(lang));
  return [tokenizer, vocab](std::string_view text) { return make_doc(*tokenizer, vocab, text); };
}

AlignmentPolicy policy_of(const CommandLine& line) {
  if (!line.has("misaligned")) return AlignmentPolicy::error;
  if (const auto policy = alignment_policy_of(line.text("misaligned"))) return *policy;
  throw Error(ErrorKind::usage, fmt::format("--misaligned is error, drop, expand or contract, not "
                                            "'{}'",
                                            line.text("misaligned")));
}

struct Counts {
  std::int64_t documents = 0;
  std::int64_t tokens = 0;
  std::int64_t entities = 0;
  std::int64_t misaligned = 0;
};

Counts convert(const Converter& converter, ConverterInput input, const std::string& output) {
  const auto writer =
      open_doc_writer(output, {.docstart = needs_docstart(converter, input, output)});
  Counts counts;
  WarningLimit warnings(std::cerr);
  input.tell = [&](const Misaligned& entity) {
    ++counts.misaligned;
    warnings.show("an entity that does not fit the tokens", "warning: " + entity.str());
  };
  converter.read(input, [&](const Doc& doc) {
    writer->add(doc);
    ++counts.documents;
    counts.tokens += doc.size();
    counts.entities += static_cast<std::int64_t>(doc.ents().size());
  });
  if (counts.documents == 0) {
    throw Error(ErrorKind::data, fmt::format("{} holds no document", input.path));
  }
  warnings.summarize();
  writer->finish();
  return counts;
}

void report(const CommandLine& line, const Counts& counts) {
  const std::string output = line.text("OUTPUT");
  if (!line.has("json")) {
    std::cerr << fmt::format("{}: {} documents, {} tokens, {} entities\n", output, counts.documents,
                             counts.tokens, counts.entities);
    return;
  }
  Object facts;
  facts.set("output", output);
  facts.set("documents", counts.documents);
  facts.set("tokens", counts.tokens);
  facts.set("entities", counts.entities);
  facts.set("misaligned", counts.misaligned);
  std::cout << to_standard_json(facts) << '\n';
}

}  // namespace

int run_convert(const Words& words) {
  CommandLine line("convert INPUT OUTPUT [options]",
                   "Converts annotated documents; the endings of the names say the formats.",
                   "weft convert train.conll train.spacy --n-sents 10");
  line.positional("INPUT", ".conll, .iob, .tsv, .jsonl, .json (spaCy 2), .spacy or .txt");
  line.positional("OUTPUT", ".spacy, .jsonl or .conll");
  line.option("converter", "NAME",
              "read INPUT as this format, whatever its ending: conll, ner, "
              "iob, json, jsonl, spacy, text");
  line.option("n-sents,n", "N", "sentences to a document (1), where the file marks no documents");
  line.option("lang,l", "CODE", "language of the text: its rules cut running text into tokens");
  line.option("misaligned", "POLICY",
              "what becomes of entities that do not fall on tokens: error "
              "(the default), drop, expand, contract");
  line.accept_json();
  line.accept_code();
  if (!line.parse(words)) return 0;
  const int sentences = line.number("n-sents", 1);
  if (sentences < 1) throw Error(ErrorKind::usage, "--n-sents is a number from 1 on");
  const Catalogue catalogue = load_catalogue(line);
  const std::string input = line.text("INPUT");
  refuse_output_on_input(line.path("OUTPUT"), input);
  const Converter converter = converter_of(line.text("converter"), input, catalogue);
  const std::string lang = line.text("lang");
  const auto vocab = std::make_shared<const Vocab>(lang.empty() ? "xx" : lang);
  ConverterInput source;
  source.path = input;
  source.vocab = vocab;
  source.make_doc = text_by(lang, vocab);
  source.sents_per_doc = sentences;
  source.on_misaligned = policy_of(line);
  report(line, convert(converter, source, line.text("OUTPUT")));
  return 0;
}

}  // namespace weft::tools
