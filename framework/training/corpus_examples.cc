#include "framework/training/corpus_examples.h"

#include <deque>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/language.h"
#include "framework/text/example.h"
#include "registry/error.h"

namespace weft {
namespace {

class CorpusExamples : public ExampleStream {
 public:
  CorpusExamples(DocSource documents, const Language& nlp, const CorpusOptions& options)
      : documents_(std::move(documents)), nlp_(nlp), options_(options) {}

  ExamplePtr next() override {
    while (waiting_.empty()) {
      if (options_.limit > 0 && read_ >= options_.limit) return nullptr;
      auto doc = documents_();
      if (!doc) return nullptr;
      if (doc->empty()) continue;
      ++read_;
      take(std::move(*doc));
    }
    ExamplePtr example = std::move(waiting_.front());
    waiting_.pop_front();
    return example;
  }

 private:
  bool fits(int tokens) const { return options_.max_length == 0 || tokens < options_.max_length; }

  void take(Doc doc) {
    if (!options_.gold_preproc && fits(doc.size())) {
      add(std::move(doc));
    } else if (options_.gold_preproc || doc.has_sents()) {
      for (const auto& [start, end] : doc.sents()) {
        if (options_.gold_preproc || fits(end - start)) add(doc.slice(start, end));
      }
    }
  }

  void add(Doc reference) {
    const bool keep_words = options_.gold_preproc || reference.has_unknown_spaces();
    waiting_.push_back(std::make_shared<Example>(
        keep_words ? Example::from_reference(std::move(reference))
                   : Example(nlp_.make_doc(reference.text()), reference)));
  }

  DocSource documents_;
  const Language& nlp_;
  CorpusOptions options_;
  std::int64_t read_ = 0;
  std::deque<ExamplePtr> waiting_;  // of one document
};

}  // namespace

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
