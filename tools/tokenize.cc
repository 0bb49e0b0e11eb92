#include <filesystem>
#include <iostream>

#include "components/languages/language_data.h"
#include "framework/io/text_lines.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/text/bounded_doc.h"
#include "framework/text/make_doc.h"
#include "framework/unicode/unicode.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/value/json.h"
#include "tools/commands.h"
#include "tools/setup.h"

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

TextLines input_lines(const std::string& file) {
  const bool is_named = !file.empty() && file != "-";
  if (is_named && !is_there(file)) {
    throw Error(ErrorKind::usage, "there is no file '" + file + "'");
  }
  return TextLines({is_named ? file : "/dev/stdin"});
}

template <class MakeDoc>
void print_each(TextLines lines, MakeDoc make_doc) {
  while (const auto text = lines.next()) {
    print_tokens(lines.at_line([&] { return bounded_doc(lines.budget(), make_doc, *text); }));
  }
}

}  // namespace

int run_tokenize(const Words& words) {
  CommandLine line("tokenize (PIPELINE | --lang CODE) [INPUT]",
                   "Cuts each line of text into tokens; one JSON object per line.",
                   "weft tokenize --lang en texts.txt");
  line.positional("FIRST", "folder of a saved pipeline; with --lang the input", false);
  line.positional("INPUT", "text, a document per line; standard input by default", false);
  line.option("lang,l", "CODE", "the tokenizer of a language in the place of a pipeline");
  line.accept_code();
  if (!line.parse(words)) return 0;
  const bool by_lang = line.has("lang");
  if (!by_lang && line.text("FIRST").empty()) {
    throw Error(ErrorKind::usage, "name a pipeline or a --lang; see weft tokenize --help");
  }
  TextLines lines = input_lines(line.text(by_lang ? "FIRST" : "INPUT"));
  const Catalogue catalogue = load_catalogue(line);
  if (by_lang) {
    const auto vocab = std::make_shared<const Vocab>(line.text("lang"));
    const Tokenizer tokenizer(language_tokenizer_rules(line.text("lang")));
    print_each(std::move(lines),
               [&](std::string_view text) { return make_doc(tokenizer, vocab, text); });
  } else {
    const auto nlp = load_pipeline(line.path("FIRST"), catalogue);
    print_each(std::move(lines), [&](std::string_view text) { return nlp->make_doc(text); });
  }
  return 0;
}

}  // namespace weft::tools
