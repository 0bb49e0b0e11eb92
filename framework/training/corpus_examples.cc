#include "framework/training/corpus_examples.h"

#include <algorithm>
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

bool are_equal(const TokenTable& a, const TokenTable& b) {
  if (a.text() != b.text() || a.has_own_norms() != b.has_own_norms()) return false;
  if (!std::ranges::equal(a.spaces(), b.spaces())) return false;
  for (const Attr attr : {Attr::orth, Attr::norm, Attr::prefix, Attr::suffix, Attr::shape}) {
    if (!std::ranges::equal(a.ids(attr), b.ids(attr))) return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.flags(i) != b.flags(i)) return false;
  }
  return true;
}

// A text that was tokenized, with the table of the reference where its own is the same: the tables
// are most of what a document without annotation takes.
Doc sharing_tokens(Doc made, const Doc& reference) {
  if (!are_equal(*made.tokens(), *reference.tokens())) return made;
  Doc sharing(made.vocab(), reference.tokens());
  sharing.set_strings(made.strings());
  sharing.set_sent_starts({made.sent_starts().begin(), made.sent_starts().end()});
  return sharing;
}

// A text that the tokenizer refuses is named by its place.
Doc tokenized(std::string_view text, const Language& nlp, const ExamplePlace& place) {
  try {
    return nlp.make_doc(text);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data || place.file == nullptr) throw;
    throw Error(error.kind(), fmt::format("document {}: {}", place.document, error.message()),
                Origin::file(place.file, place.line, 0));
  }
}

ExamplePtr example_of(Doc reference, const Language& nlp, const CorpusOptions& options) {
  const ExamplePlace place = options.place ? *options.place : ExamplePlace();
  ExamplePtr example;
  if (options.gold_preproc || reference.has_unknown_spaces()) {
    example = std::make_shared<Example>(Example::from_reference(std::move(reference)));
  } else {
    Doc predicted = sharing_tokens(tokenized(reference.text(), nlp, place), reference);
    example = std::make_shared<Example>(fitted_example(std::move(predicted), std::move(reference),
                                                       options.on_misaligned, place, options.tell));
  }
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
    sentence.set_unknown_spaces(false);  // as spaCy's Span.as_doc: they are spaces from here on
    sentence.set_span_groups(std::move(groups[i]));
    take(example_of(std::move(sentence), nlp, options));
  }
}

}  // namespace

bool examples_of(Doc document, const Language& nlp, const CorpusOptions& options,
                 const std::function<void(ExamplePtr)>& take) {
  if (document.empty()) return false;
  const bool is_whole =
      options.gold_preproc ? !document.has_sents() : fits(document.size(), options);
  if (is_whole) {
    take(example_of(std::move(document), nlp, options));
  } else if (document.has_sents()) {
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
