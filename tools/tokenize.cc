#include <iostream>
#include <memory>
#include <string>

#include "framework/pipeline/build_pipeline.h"
#include "framework/text/format_sign.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
#include "tools/bad_rows.h"
#include "tools/commands.h"
#include "tools/documents.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"

namespace weft::tools {
namespace {

void print_tokens(const Doc& doc) {
  std::string line = "{\"tokens\": [";
  for (int i = 0; i < doc.size(); ++i) {
    if (i > 0) line += ", ";
    line += to_json_string(doc.word(i), JsonText::ascii);
  }
  line += "], \"spaces\": [";
  for (int i = 0; i < doc.size(); ++i) {
    if (i > 0) line += ", ";
    line += doc.space(i) ? "true" : "false";
  }
  std::cout << line << "]}\n";
}

// By the ending of its name, as everywhere; standard input, and a name that says nothing, is text.
Converter reader_of(const std::string& input, const Catalogue& catalogue) {
  const bool is_text = is_open_already(input) || converter_for(input).empty();
  return converter_of(is_text ? "text" : "", input, catalogue);
}

}  // namespace

int run_tokenize(const Words& words) {
  CommandLine line("tokenize (PIPELINE | --lang CODE) [INPUT]",
                   "Cuts each line of text into tokens; one JSON object per line.",
                   "weft tokenize --lang en texts.txt");
  line.positional("FIRST", "folder of a saved pipeline; with --lang the input", false);
  line.positional("INPUT", ".txt (a text per line, also of standard input, the default), .jsonl …",
                  false);
  line.option("lang,l", "CODE", "the tokenizer of a language in the place of a pipeline");
  accept_on_error(line);
  line.accept_code();
  line.accept_pipelines();
  if (!line.parse(with_report_as_one(words))) return 0;
  const bool by_lang = line.has("lang");
  if (!by_lang && line.text("FIRST").empty()) {
    throw Error(ErrorKind::usage, "name a pipeline or a --lang; see weft tokenize --help");
  }
  const std::string word = line.text(by_lang ? "FIRST" : "INPUT");
  const std::string input = input_name(word.empty() ? "-" : word);
  BadRows bad_rows(line, input, "");
  const Catalogue catalogue = load_catalogue(line);
  const Converter converter = reader_of(input, catalogue);
  std::shared_ptr<const Vocab> vocab = std::make_shared<const Vocab>(line.text("lang"));
  MakeDoc make_doc;
  if (by_lang) {
    make_doc = text_by(line.text("lang"), vocab);
  } else {
    const std::shared_ptr<Language> nlp = load_pipeline(line.path("FIRST"), catalogue);
    vocab = nlp->vocab();
    make_doc = [nlp](std::string_view text) { return nlp->make_doc(text); };
  }
  ConverterInput source;
  source.path = input;
  source.vocab = vocab;
  source.make_doc = make_doc;
  source.text_only = true;
  source.bad_row = bad_rows.sink();
  converter.read(source, [&](const Doc& doc) {
    if (bad_rows.wants_documents()) print_tokens(doc);
    if (!std::cout) throw Error(ErrorKind::system, "cannot write to standard output");
  });
  bad_rows.throw_first();
  return bad_rows.finish();
}

}  // namespace weft::tools
