#include "tools/sentence_marks.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/weft.h"
#include "framework/io/file_limits.h"
#include "framework/io/input_lines.h"
#include "registry/base/error.h"

namespace weft::tools {
namespace {

// The boundaries that a file with a word on each line has.
struct Marks {
  bool sentences = false;  // a blank line between words
  bool documents = false;  // -DOCSTART- lines
};

Marks marks_of(const std::string& file) {
  Marks marks;
  InputLines lines(file, kLongestTokenLine);
  bool behind_word = false, behind_blank = false;
  for (std::string line; !marks.sentences && lines.next(line);) {
    const bool is_blank = line.find_first_not_of(" \t\r") == line.npos;
    const bool is_start = line.starts_with("-DOCSTART-");
    marks.documents = marks.documents || is_start;
    marks.sentences = !is_blank && !is_start && behind_word && behind_blank;
    if (is_start || !is_blank) behind_word = !is_start;
    behind_blank = is_blank;
  }
  return marks;
}

// Marks sentences by a pipeline.
class SentenceMarker {
 public:
  SentenceMarker(std::shared_ptr<const Language> nlp, std::string name)
      : nlp_(std::move(nlp)), name_(std::move(name)) {}

  // No sentence begins inside of an entity.
  void mark(Doc& doc) {
    if (name_.empty() && !std::exchange(told_, true)) {
      std::cerr
          << "note: sentences are cut at their punctuation; --base PIPELINE cuts them as that "
             "pipeline does\n";
    }
    std::vector<std::int8_t> starts = starts_of(doc);
    for (const Span& entity : doc.ents()) {
      for (int i = entity.start + 1; i < entity.end; ++i) starts[static_cast<std::size_t>(i)] = -1;
    }
    doc.set_sent_starts(std::move(starts));
  }

 private:
  // The pipeline gets words alone, in a document of its own vocabulary.
  std::vector<std::int8_t> starts_of(const Doc& doc) const {
    std::vector<std::string> words;
    words.reserve(static_cast<std::size_t>(doc.size()));
    for (int i = 0; i < doc.size(); ++i) words.emplace_back(doc.word(i));
    Doc plain = Doc::from_words(nlp_->vocab(), words);
    const std::vector<Doc*> docs = {&plain};
    nlp_->annotate(docs);
    if (!plain.has_sents() || plain.size() != doc.size()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} does not set sentences; --base takes a pipeline with a parser, a "
                              "senter or a sentencizer that leaves the tokens as they are",
                              name_));
    }
    return {plain.sent_starts().begin(), plain.sent_starts().end()};
  }

  std::shared_ptr<const Language> nlp_;
  std::string name_;  // "": by punctuation
  bool told_ = false;
};

std::string base_of(const CommandLine& line) {
  return line.text(line.has("base") ? "base" : "model");
}

std::shared_ptr<SentenceMarker> marker_of(const CommandLine& line, const Catalogue& catalogue) {
  if (const std::string name = base_of(line); !name.empty()) {
    return std::make_shared<SentenceMarker>(load_pipeline(name, catalogue), name);
  }
  return std::make_shared<SentenceMarker>(blank("en", {"sentencizer"}, catalogue), "");
}

void hand_on(const Doc& doc, int sents_per_doc, const TakeDoc& take) {
  if (sents_per_doc == 0) return take(doc);
  const auto sents = doc.sents();
  const auto step = static_cast<std::size_t>(sents_per_doc);
  for (std::size_t first = 0; first < sents.size(); first += step) {
    const std::size_t last = std::min(first + step, sents.size()) - 1;
    take(doc.slice(sents[first].first, sents[last].second));
  }
}

enum class Cut { where_asked, unmarked };

// Files with a word on each line. `unmarked`: only those that mark neither sentences nor documents
// are cut, and nothing is said of the others.
Converter cutting(Converter converter, std::shared_ptr<SentenceMarker> marker, Cut cut) {
  auto told = std::make_shared<std::set<std::string>>();  // files; each is read twice
  return {[converter = std::move(converter), marker = std::move(marker), told = std::move(told),
           cut](const ConverterInput& input, const TakeDoc& take) {
    each_file(input, "conll", take, [&](const ConverterInput& file, const TakeDoc& take_doc) {
      const Marks marks = marks_of(file.path);
      if (cut == Cut::unmarked && (marks.sentences || marks.documents)) {
        return converter.read(file, take_doc);
      }
      if (marks.sentences) {
        if (told->insert(file.path).second) {
          std::cerr << fmt::format("note: {} marks its sentences by blank lines; they stay\n",
                                   file.path);
        }
        return converter.read(file, take_doc);
      }
      ConverterInput whole = file;
      whole.sents_per_doc = 0;
      converter.read(whole, [&](Doc doc) {
        if (doc.sents().size() < 2) marker->mark(doc);  // a column may number them
        if (marks.documents) return take_doc(std::move(doc));
        hand_on(doc, input.sents_per_doc, take_doc);
      });
    });
  }};
}

Converter marking(Converter converter, std::shared_ptr<SentenceMarker> marker) {
  return {[converter = std::move(converter), marker = std::move(marker)](
              const ConverterInput& input, const TakeDoc& take) {
    converter.read(input, [&](Doc doc) {
      if (!doc.has_sents()) marker->mark(doc);
      take(std::move(doc));
    });
  }};
}

}  // namespace

void accept_sentences(CommandLine& line) {
  line.flag("seg-sents,s", "find sentences where INPUT marks none: by punctuation, or by --base");
  line.option("base,b", "PIPELINE", "with --seg-sents: the pipeline that finds them");
  line.option("model", "PIPELINE", "the same as --base");
  line.accept_pipelines();
}

Converter with_sentences(const CommandLine& line, Converter converter, int sents_per_doc,
                         const Catalogue& catalogue) {
  if (!line.has("seg-sents")) {
    if (sents_per_doc == 0 && converter.has_token_lines) {
      return cutting(std::move(converter), marker_of(line, catalogue), Cut::unmarked);
    }
    if (base_of(line).empty()) return converter;
    throw Error(ErrorKind::usage,
                "--base names the pipeline that finds sentences for --seg-sents; give both");
  }
  const auto marker = marker_of(line, catalogue);
  return converter.has_token_lines ? cutting(std::move(converter), marker, Cut::where_asked)
                                   : marking(std::move(converter), marker);
}

}  // namespace weft::tools
