#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "framework/io/compression.h"
#include "framework/io/seekable_input.h"
#include "framework/text/csv_reader.h"
#include "framework/text/doc_bin.h"
#include "framework/text/doc_shards.h"
#include "framework/text/doc_writer.h"
#include "framework/text/docstart.h"
#include "framework/text/lost_annotation.h"
#include "framework/text/warning_limit.h"
#include "registry/base/error.h"
#include "registry/base/suggest.h"
#include "registry/value/json.h"
#include "tools/bad_rows.h"
#include "tools/commands.h"
#include "tools/conllu_words.h"
#include "tools/documents.h"
#include "tools/sentence_marks.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"
#include "tools/terminal.h"

namespace weft::tools {
namespace {

struct Counts {
  explicit Counts(const std::string& format) : lost(format) {}

  std::int64_t documents = 0;
  std::int64_t tokens = 0;
  std::int64_t entities = 0;
  std::int64_t categorised = 0;  // documents with categories
  std::int64_t spans = 0;        // in groups
  std::int64_t annotated = 0;    // documents that say anything of entities, spans or categories
  std::int64_t misaligned = 0;
  LeftOut left_out;
  LostAnnotation lost;  // for which the output has no place
};

// Under `drop`, and where a repair has nothing to take.
std::string told(const Misaligned& entity, AlignmentPolicy policy) {
  const bool can_expand =
      policy != AlignmentPolicy::expand &&
      (entity.fault == EntFault::not_on_tokens || entity.fault == EntFault::past_end);
  const char* advice = can_expand ? " (--misaligned expand takes all tokens it touches)" : "";
  return "warning: " + entity.str() +
         (entity.kept ? "" : fmt::format("; it is left out{}", advice));
}

// Which files can hold what one cannot.
void add(DocWriter& writer, const Doc& doc, const std::string& input) {
  try {
    writer.add(doc);
  } catch (const FullDocBin& full) {
    throw Error(ErrorKind::data,
                fmt::format("{}: {}; --shard-size 100000 writes several into a folder, and "
                            "weft.ConllCorpus.v1 or weft.ConlluCorpus.v1 reads such a file as it "
                            "is, however large",
                            input, full.message()));
  }
}

// spaCy's command takes the folder of its output. A link to one is replaced, as any link.
void refuse_folder(const std::filesystem::path& output, const std::filesystem::path& input) {
  std::error_code unknown;
  const bool is_folder =
      !output.has_filename() || std::filesystem::symlink_status(output, unknown).type() ==
                                    std::filesystem::file_type::directory;
  if (!is_folder || is_standard_output(output.string())) return;
  const std::filesystem::path file = output / (input.stem().string() + ".spacy");
  throw Error(ErrorKind::usage,
              fmt::format("{} is a folder; OUTPUT is a file, as {}, or with --shard-size a folder "
                          "of several",
                          output.string(), file.lexically_normal().string()));
}

std::unique_ptr<DocWriter> open_writer(const CommandLine& line, const Converter& converter,
                                       const ConverterInput& input, JsonOutput& json) {
  const std::string output = line.text("OUTPUT");
  if (line.has("shard-size")) {
    const int most = line.number_within("shard-size", 0, 1);
    if (line.has("file-type") || is_standard_output(output) || !format_ending(output).empty()) {
      throw Error(ErrorKind::usage,
                  fmt::format("--shard-size writes .spacy files into a folder; '{}' is the name of "
                              "a file",
                              output));
    }
    return std::make_unique<DocShards>(output, most);
  }
  refuse_folder(output, input.path);
  const bool docstart = needs_docstart(converter, input, output_format(line, output));
  return open_output(line, output, {.docstart = docstart}, json);
}

// The counts are filled as the input is read.
void convert(const Converter& converter, ConverterInput input, DocWriter& writer, BadRows& bad_rows,
             Counts& counts) {
  WarningLimit warnings(std::cerr);
  input.tell = [&, policy = input.on_misaligned](const Misaligned& entity) {
    ++counts.misaligned;
    warnings.show("an entity that does not fit the tokens", told(entity, policy));
  };
  input.left_out = counts.left_out.sink();
  converter.read(input, [&](const Doc& doc) {
    if (!bad_rows.wants_documents()) return;
    add(writer, doc, input.path);
    ++counts.documents;
    counts.lost.add(doc);
    counts.tokens += doc.size();
    counts.entities += static_cast<std::int64_t>(doc.ents().size());
    counts.categorised += doc.cats().empty() ? 0 : 1;
    for (const auto& [key, group] : doc.span_groups()) {
      counts.spans += static_cast<std::int64_t>(group.spans.size());
    }
    const bool has_groups = !doc.span_groups().empty();
    counts.annotated += doc.has_ents() || has_groups || !doc.cats().empty() ? 1 : 0;
  });
  bad_rows.throw_first();
  if (counts.documents == 0) {
    counts.left_out.tell();
    bad_rows.finish();
    throw Error(ErrorKind::data, fmt::format("{} holds no document", input.path));
  }
  warnings.summarize();
  writer.finish();
  if (counts.lost.contains(DocAnnotation::spans)) counts.spans = 0;
  if (counts.lost.contains(DocAnnotation::categories)) counts.categorised = 0;
}

// Text is converted too, but records mostly have annotation in them.
void tell_of_no_annotation(const std::string& input, const Counts& counts) {
  const std::string ending = std::filesystem::path(input).extension().string();
  const bool has_records = ending == ".jsonl" || ending == ".json" || ending == ".ndjson";
  if (ending == ".csv" && counts.annotated == 0) {
    std::cerr << fmt::format("note: no row has a label: its column is called {}\n",
                             join_or(csv_label_names()));
  }
  if (!has_records || counts.annotated > 0) return;
  std::cerr << "note: no record has entities, tags, spans or categories under a key that is known; "
               "docs/data.md shows the shapes that are read\n";
}

void tell_of_lost(const std::string& output, const LostAnnotation& lost) {
  std::string names;
  for (const DocAnnotation kind : lost.found()) {
    names.append(names.empty() ? "" : ", ").append(name_of(kind));
  }
  if (names.empty()) return;
  std::cerr << fmt::format("note: {} has no place for {}; .spacy keeps all\n", output, names);
}

void report(const CommandLine& line, const Counts& counts) {
  const std::string output = line.text("OUTPUT");
  if (!line.has("json")) {
    const std::string spans =
        counts.spans == 0 ? "" : fmt::format(", {} spans in groups", counts.spans);
    const std::string cats =
        counts.categorised == 0 ? ""
                                : fmt::format(", {} documents with categories", counts.categorised);
    std::cerr << fmt::format("{}: {} documents, {} tokens, {} entities{}{}\n", output,
                             counts.documents, counts.tokens, counts.entities, spans, cats);
    return;
  }
  Object facts;
  facts.set("output", output);
  facts.set("documents", counts.documents);
  facts.set("tokens", counts.tokens);
  facts.set("entities", counts.entities);
  facts.set("spans", counts.spans);
  facts.set("misaligned", counts.misaligned);
  facts.set("categorised", counts.categorised);
  facts.set("rejected", counts.left_out.rejected());
  facts.set("ignored", counts.left_out.ignored());
  List lost;
  for (const DocAnnotation kind : counts.lost.found())
    lost.emplace_back(std::string(name_of(kind)));
  facts.set("lost", std::move(lost));
  std::cout << to_standard_json(facts) << '\n';
}

void accept_options(CommandLine& line) {
  line.positional("INPUT", ".conll, .conllu, .jsonl, .spacy, .txt (docs/data.md), a folder, or -");
  line.positional("OUTPUT", ".spacy, .jsonl, .conll or .conllu, also .gz, .zst, .xz, or -");
  line.option("converter,c", "NAME", "read INPUT as conll, conllu, iob, json, jsonl, spacy, text");
  line.option("n-sents,n", "N",
              "sentences to a document (1), where the file marks no documents; 0: by marks alone");
  accept_sentences(line);
  line.option("lang,l", "CODE", "language of the text: its rules cut running text into tokens");
  line.option("misaligned", "POLICY", "entities that are no tokens: error, drop, expand, contract");
  line.option("tag-names", "NAMES", "of tags that records give as numbers: O,B-PER,I-PER");
  accept_conllu(line);
  line.option("shard-size", "N", "OUTPUT is a folder of .spacy files of N documents each");
  accept_file_type(line);
  accept_on_error(line);
  line.accept_json();
  line.accept_code_without_letter();
}

}  // namespace

int run_convert(const Words& words) {
  CommandLine line("convert INPUT OUTPUT [options]",
                   "Converts annotated documents; the endings of the names say the formats.",
                   "weft convert train.conll train.spacy --n-sents 10");
  accept_options(line);
  if (!line.parse(with_report_as_one(words))) return 0;
  const int sentences = line.number_within("n-sents", 1, 0);
  const Catalogue catalogue = load_catalogue(line);
  if (line.has("json") && is_standard_output(line.text("OUTPUT"))) {
    throw Error(ErrorKind::usage, "--json prints where the documents go; give OUTPUT a name");
  }
  const std::string input = input_name(line.text("INPUT"));
  refuse_output_on_input(output_name(line.text("OUTPUT")), input);
  const Converter chosen = converter_of(line.text("converter"), input, catalogue);
  const Converter converter = with_sentences(line, chosen, sentences, catalogue);
  const std::string lang = line.text("lang");
  const auto vocab = std::make_shared<const Vocab>(lang.empty() ? "xx" : lang);
  ConverterInput source;
  // Input that is read twice has to stand in a file.
  const std::string format = output_format(line, line.text("OUTPUT"));
  const bool writes_token_lines = is_token_lines(format);
  const bool is_read_twice = writes_token_lines || chosen.has_token_lines || line.has("seg-sents");
  const auto copy = is_read_twice ? std::make_unique<SeekableInput>(input) : nullptr;
  source.path = copy ? copy->path() : input;
  source.conllu = conllu_options(line);
  source.vocab = vocab;
  source.make_doc = text_by(lang, vocab);
  source.sents_per_doc = sentences;
  source.untagged = writes_token_lines ? "" : "-";
  source.on_misaligned = misaligned_policy(line);
  source.records.tag_names = tag_names_of(line);
  BadRows bad_rows(line, input, line.text("OUTPUT"));
  source.bad_row = bad_rows.sink();
  Counts counts(format);
  JsonOutput json;
  const auto writer = open_writer(line, converter, source, json);
  convert(converter, source, *writer, bad_rows, counts);
  counts.left_out.tell();
  tell_of_no_annotation(input, counts);
  tell_of_lost(line.text("OUTPUT"), counts.lost);
  report(line, counts);
  return bad_rows.finish();
}

}  // namespace weft::tools
