#include "framework/training/corpus_examples.h"

#include <deque>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/language.h"
#include "framework/text/example.h"
#include "framework/training/fitted_example.h"
#include "registry/error.h"

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

bool examples_of(Doc document, const Language& nlp, const CorpusOptions& options,
                 const std::function<void(ExamplePtr)>& take) {
  if (document.empty()) return false;
  if (!options.gold_preproc && fits(document.size(), options)) {
    take(example_of(std::move(document), nlp, options));
  } else if (options.gold_preproc || document.has_sents()) {
    for (const auto& [start, end] : document.sents()) {
      if (!options.gold_preproc && !fits(end - start, options)) continue;
      take(example_of(document.slice(start, end), nlp, options));
    }
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
