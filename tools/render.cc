#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "framework/io/atomic_file.h"
#include "framework/io/made_folders.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/find_pipeline.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/render/arc_svg.h"
#include "framework/render/entity_html.h"
#include "framework/render/page.h"
#include "framework/render/span_html.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"
#include "registry/base/letter_case.h"
#include "tools/bad_rows.h"
#include "tools/commands.h"
#include "tools/documents.h"
#include "tools/name_list.h"
#include "tools/setup.h"
#include "tools/standard_streams.h"

namespace weft::tools {
namespace {

enum class Style { entities, spans, dependencies };

Style style_of(const CommandLine& line) {
  const std::string name = line.has("style") ? line.text("style") : "ent";
  if (name == "ent") return Style::entities;
  if (name == "span") return Style::spans;
  if (name == "dep") return Style::dependencies;
  throw Error(ErrorKind::usage, fmt::format("--style is ent, span or dep, not '{}'", name));
}

RenderOptions options_of(const CommandLine& line, const std::string& lang) {
  RenderOptions options;
  for (const std::string& name : split_names(line.text("labels"))) {
    options.labels.push_back(upper_case(name));
  }
  options.link = line.text("link");
  check_link(options);
  if (line.has("spans-key")) options.spans_key = line.text("spans-key");
  options.right_to_left = is_right_to_left(lang);
  options.compact = line.has("compact");
  options.lemmas = line.has("lemmas");
  options.fine_grained = line.has("fine-grained");
  options.collapse_punctuation = !line.has("keep-punct");
  options.collapse_noun_chunks = line.has("collapse-phrases");
  return options;
}

LabelColors colors_of(const CommandLine& line) {
  LabelColors colors;
  for (const std::string& one : split_names(line.text("colors"))) {
    const std::size_t equals = one.find('=');
    if (equals == one.npos || equals == 0) {
      throw Error(ErrorKind::usage,
                  fmt::format("--colors is LABEL=#COLOR,LABEL=#COLOR, not '{}'", one));
    }
    colors.set(one.substr(0, equals), one.substr(equals + 1));
  }
  return colors;
}

// Draws documents one after the other.
class Drawer {
 public:
  Drawer(const CommandLine& line, std::string lang)
      : style_(style_of(line)),
        by_sentence_(line.has("sentences")),
        lang_(std::move(lang)),
        options_(options_of(line, lang_)),
        colors_(colors_of(line)) {}

  Style style() const { return style_; }
  const std::string& lang() const { return lang_; }
  bool is_right_to_left() const { return options_.right_to_left; }

  // Whether the document lacks what is drawn, but for its words.
  bool lacks(const Doc& doc) const {
    if (doc.empty()) return false;
    if (style_ == Style::entities) return !doc.has_ents();
    return style_ == Style::spans ? doc.span_group(options_.spans_key) == nullptr
                                  : !has_dependencies(doc);
  }

  // "entities", "spans "sc"", "dependencies".
  std::string drawn_things() const {
    if (style_ == Style::entities) return "entities";
    if (style_ == Style::dependencies) return "dependencies";
    return fmt::format("spans \"{}\"", printable_brief(options_.spans_key));
  }

  // Calls `take` with each drawing: one for the document, or for each sentence.
  void draw(const Doc& doc, const std::function<void(const std::string&)>& take) {
    if (!by_sentence_) return take(drawing(doc));
    for (const auto& [start, end] : doc.sents()) take(drawing(doc.slice(start, end)));
  }

 private:
  std::string drawing(const Doc& doc) {
    switch (style_) {
      case Style::entities:
        return entity_html(doc, options_, colors_);
      case Style::spans:
        return span_html(doc, options_, colors_);
      case Style::dependencies:
        break;
    }
    return arc_svg(arc_drawing(doc, {0, doc.size()}, options_), options_, lang_,
                   fmt::format("weft-{}", number_++));
  }

  Style style_;
  bool by_sentence_;
  std::string lang_;
  RenderOptions options_;
  LabelColors colors_;
  std::int64_t number_ = 0;  // of drawings
};

std::string ending_of(const std::filesystem::path& output) {
  return lower_case(output.extension().string());
}

// Another program would take such a file for something else.
void refuse_other_endings(const std::filesystem::path& output) {
  const std::string ending = ending_of(output);
  const bool is_page = ending == ".html" || ending == ".htm";
  if (!ending.empty() && !is_page && ending != ".svg" && !is_standard_output(output.string())) {
    throw Error(ErrorKind::usage,
                fmt::format("the output is a page or a picture; give a file that ends in .html, "
                            "or in .svg for one tree, not in '{}'",
                            printable_brief(output.extension().string())));
  }
}

// The output: a page with all drawings, or the one drawing of a .svg file.
class Output {
 public:
  Output(const CommandLine& line, const Drawer& drawer)
      : is_picture_(ending_of(line.path("output")) == ".svg"),
        around_(line.path("output").parent_path()) {
    refuse_other_endings(line.path("output"));
    if (is_picture_ && drawer.style() != Style::dependencies) {
      throw Error(ErrorKind::usage,
                  "entities and spans are HTML; give an output that ends in "
                  ".html");
    }
    const std::string name = line.text("output");
    if (!name.empty() && !is_standard_output(name)) {
      file_ = std::make_unique<AtomicFile>(name);
    }
    if (!is_picture_) {
      const std::string title = line.has("title") ? line.text("title") : "displaCy";
      head_ = page_head({title, drawer.lang(), drawer.is_right_to_left()});
    }
  }

  void add(const std::string& drawing) {
    if (is_picture_ && ++drawings_ > 1) {
      throw Error(ErrorKind::usage,
                  "a .svg file holds one drawing; give an output that ends in "
                  ".html, or --limit 1");
    }
    begin();
    bytes_ += drawing.size();
    stream() << (is_picture_ ? drawing : page_figure(drawing));
    if (!file_ && !stream()) throw Error(ErrorKind::system, "the output cannot be written");
  }

  bool is_full() const { return bytes_ >= kMostPageBytes; }

  void finish() {
    begin();
    if (!is_picture_) stream() << page_end();
    if (file_)
      file_->commit();
    else
      stream().flush();
  }

 private:
  // The head comes with the first drawing: an error before it leaves standard output empty.
  void begin() { stream() << std::exchange(head_, {}); }
  std::ostream& stream() { return file_ ? file_->stream() : std::cout; }

  bool is_picture_;
  std::string head_;  // until it is written; none of a picture
  int drawings_ = 0;
  std::size_t bytes_ = 0;  // of drawings
  MadeFolders around_;
  std::unique_ptr<AtomicFile> file_;
};

struct Shown {
  std::vector<Doc> docs;
  std::int64_t left_out = 0;  // documents beyond the limit
};

// Reads as many documents as are drawn.
Shown read_shown(const Converter& converter, ConverterInput input, BadRows& bad_rows, int limit) {
  Shown shown;
  input.bad_row = bad_rows.sink();
  converter.read(input, [&](const Doc& doc) {
    if (!bad_rows.wants_documents()) return;
    if (shown.docs.size() < static_cast<std::size_t>(limit)) {
      shown.docs.push_back(input.text_only ? unannotated(doc) : doc);
    } else {
      ++shown.left_out;
    }
  });
  bad_rows.throw_first();
  if (shown.docs.empty()) {
    bad_rows.finish();
    throw Error(ErrorKind::data, fmt::format("{} holds no document", input.path));
  }
  return shown;
}

void annotate(const Language& nlp, std::vector<Doc>& docs, int threads) {
  std::vector<Doc*> batch;
  for (Doc& doc : docs) {
    if (!doc.empty()) batch.push_back(&doc);
  }
  WorkerPool pool(threads);
  nlp.annotate(batch, pool);
}

// How many lack what is drawn. Throws where all of them do.
std::ptrdiff_t count_lacking(const Drawer& drawer, const std::vector<Doc>& docs) {
  const auto lacking =
      std::count_if(docs.begin(), docs.end(), [&](const Doc& doc) { return drawer.lacks(doc); });
  if (lacking < std::ssize(docs)) return lacking;
  std::set<std::string> groups;
  for (const Doc& doc : docs) {
    for (const auto& [key, group] : doc.span_groups()) groups.insert(printable_brief(key));
  }
  throw Error(ErrorKind::data,
              fmt::format("the documents have no {}{}; give data that has, or a pipeline that "
                          "predicts them",
                          drawer.drawn_things(),
                          groups.empty() || drawer.style() != Style::spans
                              ? ""
                              : fmt::format(", they have {}", fmt::join(groups, ", "))));
}

// Says how many documents are drawn whole: drawings of small files can be large, and the page ends
// with the one that fills it, which may be a sentence in the middle of a document.
std::size_t draw_all(const std::vector<Doc>& docs, Drawer& drawer, Output& output) {
  std::size_t whole = 0;
  for (bool has_room = true; whole < docs.size(); ++whole) {
    drawer.draw(docs[whole], [&](const std::string& drawing) {
      has_room = !output.is_full();
      if (has_room) output.add(drawing);
    });
    if (!has_room) break;
  }
  return whole;
}

void accept_options(CommandLine& line) {
  line.positional("INPUT", ".spacy, .jsonl, .conll, .conllu, .txt (docs/data.md), a folder, or -");
  line.option("output,o", "FILE", ".html, or .svg for one tree; standard output without");
  line.option("style,s", "STYLE", "ent, span or dep: entities (the default), spans, dependencies");
  line.option("pipeline,p", "DIR", "a saved pipeline that annotates the texts of INPUT");
  line.option("lang,l", "CODE", "language of the text: its rules cut running text into tokens");
  line.option("converter,c", "NAME", "read INPUT as this format, whatever its ending");
  line.option("limit,n", "N", "documents that are drawn (100)");
  line.flag("sentences", "a drawing for each sentence");
  line.option("title", "TEXT", "of the page");
  line.option("labels", "NAMES", "entities and spans of these labels alone");
  line.option("colors", "LABEL=#COLOR,…", "colours of labels");
  line.option("link", "ADDRESS", "behind ids of entities, with {} for the id");
  line.option("spans-key", "KEY", "the group of spans that is drawn (sc)");
  line.flag("compact", "dependencies: square arcs, less room");
  line.flag("lemmas", "dependencies: a line of lemmas");
  line.flag("fine-grained", "dependencies: tags in the place of parts of speech");
  line.flag("keep-punct", "dependencies: punctuation stands by itself");
  line.flag("collapse-phrases", "dependencies: noun phrases are one word");
  accept_on_error(line);
  line.accept_code_without_letter();
  line.accept_pipelines();
  line.accept_threads();
}

}  // namespace

int run_render(const Words& words) {
  CommandLine line("render INPUT [options]",
                   "Draws entities, spans or dependencies of documents as a page.",
                   "weft render dev.spacy --style dep --limit 5 --output trees.html");
  accept_options(line);
  if (!line.parse(with_report_as_one(words))) return 0;
  const int limit = line.number_within("limit", 100, 1);
  const Catalogue catalogue = load_catalogue(line);
  const std::string input = input_name(line.text("INPUT"));
  refuse_output_on_input(output_name(line.text("output")), input);
  if (line.has("pipeline")) {
    refuse_output_on_input(output_name(line.text("output")), find_pipeline(line.text("pipeline")));
  }
  const Converter converter = converter_of(line.text("converter"), input, catalogue);
  const auto nlp = line.has("pipeline") ? load_pipeline(line.path("pipeline"), catalogue) : nullptr;
  const std::string lang = nlp ? std::string(nlp->vocab()->lang()) : line.text("lang");
  ConverterInput source;
  source.path = input;
  source.vocab = nlp ? nlp->vocab() : std::make_shared<const Vocab>(lang.empty() ? "xx" : lang);
  source.make_doc = nlp ? [&](std::string_view text) { return nlp->make_doc(text); }
                        : text_by(lang, source.vocab);
  source.text_only = nlp != nullptr;
  BadRows bad_rows(line, input, line.text("output"));
  Drawer drawer(line, lang.empty() ? "xx" : lang);
  Output output(line, drawer);
  Shown shown = read_shown(converter, source, bad_rows, limit);
  if (nlp) annotate(*nlp, shown.docs, choose_threads(line.number("threads", 0)));
  const std::ptrdiff_t lacking = count_lacking(drawer, shown.docs);
  const std::size_t drawn = draw_all(shown.docs, drawer, output);
  output.finish();
  if (lacking > 0) {
    std::cerr << fmt::format(
        "warning: {} of {} documents have no {}: their words are drawn alone\n", lacking,
        shown.docs.size(), drawer.drawn_things());
  }
  if (drawn < shown.docs.size()) {
    std::cerr << fmt::format("note: {} of {} documents are drawn whole, as their page has {} MiB\n",
                             drawn, shown.docs.size(), kMostPageBytes >> 20);
  } else if (shown.left_out > 0) {
    std::cerr << fmt::format("note: {} of {} documents are drawn; --limit N draws more\n",
                             shown.docs.size(),
                             shown.left_out + static_cast<std::int64_t>(shown.docs.size()));
  }
  return bad_rows.finish();
}

}  // namespace weft::tools
