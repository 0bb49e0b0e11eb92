#include "framework/training/corpus_examples.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "framework/pipeline/language.h"
#include "framework/text/conll.h"
#include "framework/text/doc_bin.h"
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

DocSource doc_bin_documents(const std::filesystem::path& path, std::shared_ptr<const Vocab> vocab) {
  struct Open {
    std::vector<std::string> files;
    std::size_t next = 0;
    std::unique_ptr<DocBinReader> reader;
  };
  auto open = std::make_shared<Open>(Open{doc_bin_files({path.string()}), 0, nullptr});
  return [open, vocab = std::move(vocab)]() -> std::optional<Doc> {
    while (true) {
      if (open->reader) {
        if (auto doc = open->reader->next()) return doc;
      }
      if (open->next == open->files.size()) return std::nullopt;
      open->reader = std::make_unique<DocBinReader>(open->files[open->next++], vocab);
    }
  };
}

DocSource conll_documents(const std::filesystem::path& path, std::shared_ptr<const Vocab> vocab,
                          int sentences_per_document) {
  const ConllOptions options{.sents_per_doc = sentences_per_document};
  auto reader = std::make_shared<ConllReader>(path.string(), std::move(vocab), options);
  return [reader] { return reader->next(); };
}

std::vector<std::string> files_below(const std::filesystem::path& path, std::string_view ending) {
  namespace fs = std::filesystem;
  if (!fs::exists(path)) {
    throw Error(ErrorKind::usage, fmt::format("there is no file or folder '{}'", path.string()));
  }
  if (!fs::is_directory(path)) return {path.string()};
  std::vector<std::string> files;
  for (auto entry = fs::recursive_directory_iterator(path); entry != fs::end(entry); ++entry) {
    const bool hidden = entry->path().filename().string().starts_with('.');
    if (hidden && entry->is_directory()) entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file() && entry->path().extension() == ending) {
      files.push_back(entry->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string required_path(const std::optional<std::filesystem::path>& path, const char* reader) {
  if (path && !path->empty()) return path->string();
  throw Error(ErrorKind::config,
              fmt::format("{} has no path: give one in the config or as --paths.train, --paths.dev",
                          reader));
}

}  // namespace weft
