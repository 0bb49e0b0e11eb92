#include <charconv>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/parser/confidence_fit.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/doc_writer.h"
#include "framework/text/docstart.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "tools/annotator.h"
#include "tools/bad_rows.h"
#include "tools/commands.h"
#include "tools/component_choice.h"
#include "tools/documents.h"
#include "tools/entity_lines.h"
#include "tools/precision_option.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"
#include "tools/terminal.h"

namespace weft::tools {
namespace {

// Documents annotated together. Not a function of the threads, on which no result depends.
constexpr std::size_t kDocsPerBatch = 1024;

// Keeps a pipeline to the end of the process, which gives all its memory back at once: to take it
// apart before takes longer.
void keep_to_the_end(std::shared_ptr<Language> nlp) {
  static auto& kept = *new std::vector<std::shared_ptr<Language>>;
  kept.push_back(std::move(nlp));
}

// Where the documents go, by either word; "" for standard output.
std::string output_word(const CommandLine& line) {
  if (!line.has("output")) return line.text("OUTPUT");
  if (!line.text("OUTPUT").empty()) {
    throw Error(ErrorKind::usage, "the output is named twice: OUTPUT and --output");
  }
  return line.text("output");
}

int threads_of(const CommandLine& line) {
  const int threads = line.number("threads", 0);
  return choose_threads(threads == 0 ? line.number("n-process", 0) : threads);
}

std::size_t batch_size_of(const CommandLine& line) {
  return static_cast<std::size_t>(
      line.number_within("batch-size", static_cast<int>(kDocsPerBatch), 1));
}

std::unique_ptr<DocWriter> open_writer(const CommandLine& line, const Converter& converter,
                                       const ConverterInput& source, JsonOutput& json) {
  const std::string output = output_word(line).empty() ? "-" : output_word(line);
  if (line.has("entities")) {
    if (!output_word(line).empty() || line.has("json")) {
      throw Error(ErrorKind::usage, "--entities prints for people; it takes no --output or --json");
    }
    return entity_lines(std::cout);
  }
  const bool docstart = needs_docstart(converter, source, output_format(line, output));
  return open_output(line, output, {.json = DocJson::prediction, .docstart = docstart}, json);
}

// The confidence that --min-score asks for; 0 without it.
double least_score(const CommandLine& line, const Language& nlp) {
  if (!line.has("min-score")) return 0;
  const std::string text = line.text("min-score");
  double least = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), least);
  if (error != std::errc() || end != text.data() + text.size() || !(least >= 0 && least <= 1)) {
    throw Error(ErrorKind::usage,
                fmt::format("--min-score is a number from 0 to 1, not '{}'", printable(text)));
  }
  if (!gives_confidences(nlp)) {
    throw Error(ErrorKind::usage,
                "--min-score: the entities of this pipeline have no scores; `weft calibrate` fits "
                "them to annotated documents (docs/confidence.md)");
  }
  return least;
}

void accept_options(CommandLine& line) {
  line.positional("PIPELINE", "folder of a saved pipeline");
  line.positional("INPUT",
                  ".txt (a text per line), .jsonl, .conllu (docs/data.md), a folder, or -");
  line.positional("OUTPUT", "the same as --output", false);
  line.option("output,o", "FILE",
              ".jsonl, .conll, .conllu or .spacy, also .gz, .zst, .xz; JSON lines on standard "
              "output without");
  accept_file_type(line);
  line.flag("entities", "print each text, its entities and spans for people to read");
  line.option("converter", "NAME", "read INPUT as this format, whatever its ending");
  line.option("text-key", "KEY", "of records in JSON: the key that has the text");
  line.also("text-key", {"-tk"});
  line.option("batch-size,b", "N",
              "documents annotated together, 1024 by default; docs/python.md: where that matters");
  line.option("n-process,n", "N", "the same as --threads");
  line.flag("force,F", "for command lines that have it: an output is replaced in any case");
  line.option("min-score", "X",
              "leave out entities whose score is below X, from 0 to 1 (docs/confidence.md)");
  accept_on_error(line);
  line.accept_precision();
  accept_component_choice(line);
  line.flag("json", "JSON lines on standard output, as without it and without --output");
  line.accept_code();
  line.accept_pipelines();
  line.accept_gpu();
  line.accept_threads();
}

}  // namespace

int run_apply(const Words& words) {
  CommandLine line("apply PIPELINE INPUT [OUTPUT] [options]",
                   "Annotates documents: entities, spans and whatever the pipeline predicts.",
                   "weft apply out/model-best texts.txt --output entities.jsonl");
  accept_options(line);
  if (!line.parse(with_report_as_one(words))) return 0;
  check_device(line);
  const Catalogue catalogue = load_catalogue(line);
  const std::string input = input_name(line.text("INPUT"));
  const std::string output = output_word(line).empty() ? "-" : output_word(line);
  refuse_output_on_input(output_name(output), input);
  refuse_output_on_input(output_name(output), find_pipeline(line.text("PIPELINE")));
  const Converter converter = converter_of(line.text("converter"), input, catalogue);
  const auto nlp = load_chosen(line, catalogue);
  run_on_gpu(*nlp, line.number("gpu-id", -1));
  follow_precision(line, *nlp);
  BadRows bad_rows(line, input, output);
  ConverterInput source;
  source.path = input;
  source.vocab = nlp->vocab();
  source.make_doc = [&](std::string_view text) { return nlp->make_doc(text); };
  source.text_only = true;
  source.bad_row = bad_rows.sink();
  source.records.text_key = line.text("text-key");
  JsonOutput json;
  const auto writer = open_writer(line, converter, source, json);
  Annotator annotator(*nlp, threads_of(line), batch_size_of(line), least_score(line, *nlp), *writer,
                      bad_rows);
  source.take_record = [&](const Node* record) { annotator.take_record(record); };
  converter.read(source, [&](const Doc& doc) {
    if (bad_rows.wants_documents()) annotator.take(doc);
  });
  if (bad_rows.wants_documents()) annotator.flush();
  bad_rows.throw_first();
  if (annotator.count() == 0) {
    const int code = bad_rows.finish();
    throw Error(ErrorKind::data, code == 0
                                     ? fmt::format("{} holds no document", input)
                                     : fmt::format("no document of {} is left to write", input));
  }
  writer->finish();
  keep_to_the_end(nlp);
  if (!is_standard_output(output)) {
    std::cerr << fmt::format("{} documents in {}\n", annotator.count(), output);
  }
  return bad_rows.finish();
}

}  // namespace weft::tools
