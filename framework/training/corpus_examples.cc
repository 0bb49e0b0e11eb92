#include "framework/training/corpus_examples.h"

#include <deque>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/language.h"
#include "framework/text/cut_span_groups.h"
#include "framework/text/example.h"
#include "framework/training/fitted_example.h"
#include "registry/base/error.h"

namespace weft {
namespace {

bool fits(int tokens, const CorpusOptions& options) {
  return options.max_length == 0 || tokens < options.max_length;
}

ExamplePtr example_of(Doc reference, const Language& nlp, const CorpusOptions& options) {
  const bool keep_words = options.gold_preproc || reference.has_unknown_spaces();
  const ExamplePlace place = options.place ? *options.place : ExamplePlace();
  auto example = std::make_shared<Example>(
      keep_words ? Example::from_reference(std::move(reference))
                 : fitted_example(nlp.make_doc(reference.text()), reference, options.on_misaligned,
                                  place, options.tell));
  example->set_place(place);
  return example;
}

class CorpusExamples : public ExampleStream {
 public:
  CorpusExamples(DocSource documents, const Language& nlp, const CorpusOptions& options)
      : documents_(std::move(documents)), nlp_(nlp), options_(options) {}

  ExamplePtr next() override {
    while (waiting_.empty()) {
      if (options_.limit > 0 && read_ >= options_.limit) return nullptr;
      auto doc = documents_();
      if (!doc) return nullptr;
      const auto take = [this](ExamplePtr example) { waiting_.push_back(std::move(example)); };
      if (examples_of(std::move(*doc), nlp_, options_, take)) ++read_;
    }
    ExamplePtr example = std::move(waiting_.front());
    waiting_.pop_front();
    return example;
  }

 private:
  DocSource documents_;
  const Language& nlp_;
  CorpusOptions options_;
  std::int64_t read_ = 0;
  std::deque<ExamplePtr> waiting_;  // of one document
};

}  // namespace

namespace {

// Each sentence that fits as an example of its own.
void take_sentences(Doc document, const Language& nlp, const CorpusOptions& options,
                    const std::function<void(ExamplePtr)>& take) {
  const std::vector<std::pair<int, int>> sents = document.sents();
  std::vector<SpanGroups> groups = cut_span_groups(document.span_groups(), sents);
  document.set_span_groups({});
  for (std::size_t i = 0; i < sents.size(); ++i) {
    const auto [start, end] = sents[i];
    if (!options.gold_preproc && !fits(end - start, options)) continue;
    Doc sentence = document.slice(start, end);
    sentence.set_span_groups(std::move(groups[i]));
    take(example_of(std::move(sentence), nlp, options));
  }
}

}  // namespace

bool examples_of(Doc document, const Language& nlp, const CorpusOptions& options,
                 const std::function<void(ExamplePtr)>& take) {
  if (document.empty()) return false;
  if (!options.gold_preproc && fits(document.size(), options)) {
    take(example_of(std::move(document), nlp, options));
  } else if (options.gold_preproc || document.has_sents()) {
    take_sentences(std::move(document), nlp, options, take);
  }
  return true;
}

ExampleStreamPtr corpus_examples(DocSource documents, const Language& nlp,
                                 const CorpusOptions& options) {
  return std::make_unique<CorpusExamples>(std::move(documents), nlp, options);
}

std::string required_path(const std::optional<std::filesystem::path>& path, const char* reader) {
  if (path && !path->empty()) return path->string();
  throw Error(ErrorKind::config,
              fmt::format("{} has no path: give one in the config or as --paths.train, --paths.dev",
                          reader));
}

}  // namespace weft
