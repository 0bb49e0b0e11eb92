// A corpus of raw text, one document on each line, for training without annotation.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "framework/io/text_lines.h"
#include "framework/pipeline/language.h"
#include "framework/text/bounded_doc.h"
#include "framework/text/converter.h"
#include "framework/training/corpus_examples.h"
#include "framework/training/example_streams.h"
#include "framework/training/reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::optional<std::filesystem::path> path;
  int min_length = 0;
  int max_length = 0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "a text file with one document per line, or a folder of .txt files");
  v("min_length", c.min_length, "shorter documents (in tokens) are left out", at_least(0));
  v("max_length", c.max_length, "longer documents (in tokens) are left out; 0 = no limit",
    at_least(0));
}

bool fits(const Settings& c, int tokens) {
  return tokens >= c.min_length && (c.max_length == 0 || tokens <= c.max_length);
}

// The lines of a file; a carriage return alone ends one too, as in Python's universal newlines.
class Texts {
 public:
  explicit Texts(const std::string& path) : lines_(files_of_format(path, "text")) {}

  std::optional<std::string> next() {
    if (!line_) {
      line_ = lines_.next();
      begin_ = 0;
    }
    if (!line_) return std::nullopt;
    const std::size_t end = line_->find('\r', begin_);
    std::string text = line_->substr(begin_, end - begin_);
    begin_ = end + 1;
    if (end == line_->npos) line_.reset();
    return text;
  }
  TextLines& lines() { return lines_; }

 private:
  TextLines lines_;
  std::optional<std::string> line_;
  std::size_t begin_ = 0;
};

ExampleStreamPtr open(const Settings& c, const Language& nlp) {
  const std::string path = required_path(c.path, "spacy.PlainTextCorpus.v1");
  auto texts = std::make_shared<Texts>(path);
  auto file = std::make_shared<const std::string>();
  return stream_of([texts, c, &nlp, file]() mutable -> ExamplePtr {
    TextLines* lines = &texts->lines();
    while (auto text = texts->next()) {
      const auto make = [&](std::string_view line) { return nlp.make_doc(line); };
      Doc doc = lines->at_line([&] { return bounded_doc(lines->budget(), make, *text); });
      if (doc.empty() || !fits(c, doc.size())) continue;
      Doc reference = doc.words_only();
      if (*file != lines->file()) file = std::make_shared<const std::string>(lines->file());
      auto example = std::make_shared<Example>(std::move(doc), std::move(reference));
      example->set_place({file, static_cast<int>(lines->number()), 0});
      return example;
    }
    return nullptr;
  });
}

Reader plain_text_corpus(const Settings& c) {
  return {[c](const Language& nlp) { return open(c, nlp); }};
}

const Registration registered{"spacy.PlainTextCorpus.v1", plain_text_corpus,
                              "raw text, one document per line"};

}  // namespace
}  // namespace weft
