#include <charconv>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/parser/confidence_fit.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/prediction_groups.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/text/doc_writer.h"
#include "framework/text/ent_confidence.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/value/json.h"
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
constexpr std::size_t kTokensPerBatch = std::size_t{1} << 16;
constexpr std::size_t kFieldBytesPerBatch = std::size_t{16} << 20;

// Keeps a pipeline to the end of the process, which gives all its memory back at once: to take it
// apart before takes longer.
void keep_to_the_end(std::shared_ptr<Language> nlp) {
  static auto& kept = *new std::vector<std::shared_ptr<Language>>;
  kept.push_back(std::move(nlp));
}

// The fields of a record that a line of the output has no fields of its own for, as `"id": 7,
// "meta": {}`. It has "spans" of its own where groups of spans are predicted.
std::string fields_of(const Node* record, bool with_spans) {
  static const std::set<std::string, std::less<>> own = {"text", "tokens", "spaces", "ents",
                                                         "cats"};
  std::string fields;
  if (record == nullptr || !record->is_object()) return fields;
  for (const auto& [key, value] : record->as_object()) {
    if (own.contains(key) || (key == "spans" && !with_spans)) continue;
    if (!fields.empty()) fields += ", ";
    fields += to_json_string(key, JsonText::utf8) + ": " + to_standard_json(value, JsonText::utf8);
  }
  return fields;
}

// Annotates documents as they come, a batch at a time, and writes them.
class Annotator {
 public:
  // `least`: the confidence of the entities that are kept.
  Annotator(const Language& nlp, int threads, std::size_t batch_size, double least,
            DocWriter& writer, BadRows& bad_rows)
      : nlp_(nlp),
        pool_(threads),
        batch_size_(batch_size),
        least_(least),
        writer_(writer),
        bad_rows_(bad_rows) {}

  // The record of the document that is taken next.
  void take_record(const Node* record) {
    next_.fields = fields_of(record, true);
    next_.without_spans = fields_of(record, false);
  }

  void take(const Doc& doc) {
    tokens_ += prediction_weight(static_cast<std::size_t>(doc.size()), nlp_.predicted_values());
    field_bytes_ += next_.fields.size();
    taken_.emplace_back(unannotated(doc));
    if (bad_rows_.leaves_out()) plain_.push_back(*taken_.back());
    fields_.push_back(std::exchange(next_, {}));
    if (taken_.size() >= batch_size_ || tokens_ >= kTokensPerBatch ||
        field_bytes_ >= kFieldBytesPerBatch) {
      flush();
    }
  }

  void flush() {
    annotate_empty();
    for (std::size_t begin = 0; begin < taken_.size();) {
      const std::size_t end = annotate_some(begin);
      for (; begin < end; ++begin) write(begin);
    }
    alone_ = false;
    taken_.clear();
    plain_.clear();
    fields_.clear();
    tokens_ = field_bytes_ = 0;
  }

  std::size_t count() const { return count_; }

 private:
  struct Fields {
    std::string fields;
    std::string without_spans;  // the same where groups of spans are predicted
  };

  // Gives the document back as well: those to come may have many spans.
  void write(std::size_t i) {
    std::optional<Doc> doc = std::exchange(taken_[i], {});
    if (!doc) return;
    if (least_ > 0) drop_ents_below(*doc, least_);
    writer_.add_with(*doc,
                     doc->span_groups().empty() ? fields_[i].fields : fields_[i].without_spans);
    ++count_;
  }

  // Documents without tokens get what each of them gets alone, whatever stands beside them.
  void annotate_empty() {
    std::vector<std::size_t> places;
    std::vector<Doc*> batch;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (!taken_[i]->empty()) continue;
      places.push_back(i);
      batch.push_back(&*taken_[i]);
    }
    try {
      nlp_.annotate(batch, pool_);
      return;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data || !bad_rows_.leaves_out()) throw;
    }
    for (std::size_t i : places) {
      taken_[i] = plain_[i];
      annotate_alone(taken_[i]);
    }
  }

  // Documents with tokens from this one on. Gives the first that is not annotated.
  std::size_t annotate_some(std::size_t begin) {
    const auto is_done = [this](std::size_t i) { return !taken_[i] || taken_[i]->empty(); };
    if (alone_) {
      if (!is_done(begin)) annotate_alone(taken_[begin]);
      return begin + 1;
    }
    std::vector<Doc*> batch;
    std::vector<std::size_t> places;
    for (std::size_t i = begin; i < taken_.size(); ++i) {
      if (is_done(i)) continue;
      batch.push_back(&*taken_[i]);
      places.push_back(i);
    }
    if (batch.empty()) return taken_.size();
    try {
      const std::size_t annotated = nlp_.annotate_some(batch, pool_);
      return annotated < places.size() ? places[annotated] : taken_.size();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data || !bad_rows_.leaves_out()) throw;
    }
    for (std::size_t i : places) taken_[i] = plain_[i];
    alone_ = true;
    return begin;
  }

  // Leaves the document out if a component gives up on it.
  void annotate_alone(std::optional<Doc>& doc) {
    Doc* const alone[] = {&*doc};
    try {
      nlp_.annotate(alone, pool_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      bad_rows_.leave_out_document(error);
      doc.reset();
    }
  }

  const Language& nlp_;
  WorkerPool pool_;
  std::size_t batch_size_;
  double least_;
  DocWriter& writer_;
  BadRows& bad_rows_;
  // Nothing in the place of one that is left out, or written.
  std::vector<std::optional<Doc>> taken_;
  std::vector<Doc> plain_;      // before they were annotated, which may split and join their tokens
  std::vector<Fields> fields_;  // of each document
  bool alone_ = false;          // each is annotated alone, as a component failed on one of them
  Fields next_;
  std::size_t tokens_ = 0;
  std::size_t field_bytes_ = 0;
  std::size_t count_ = 0;
};

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
