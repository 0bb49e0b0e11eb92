// A corpus: opens as a stream of examples, as often as asked. Named by `@readers`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "framework/pipeline/component.h"
#include "framework/pipeline/data_problem.h"
#include "framework/text/char_ents.h"
#include "framework/text/corpus_tells.h"
#include "registry/functions/type.h"

namespace weft {

class Language;

// Checks of a corpus, as they follow its documents.
struct AnnotationTells {
  std::string corpus;  // "corpora.train": for the faults
  std::function<void(const PlacedDoc&)> take;
  DataSink tell;
};

struct Reader {
  // Opens the corpus from its start; the language gives the tokenizer and the vocabulary and must
  // outlive the stream. Throws Error(usage) for a file that is not there.
  std::function<ExampleStreamPtr(const Language&)> open;
  // The same; entities that do not fall on tokens and records that are no gold are told as they are
  // read. Empty: the reader has none of those.
  std::function<ExampleStreamPtr(const Language&, const CorpusTells& tells)> open_telling = {};
  // The fate of those entities.
  AlignmentPolicy on_misaligned = AlignmentPolicy::error;
  // Reads the documents as they are annotated, with the place of each, on behind faults: entities
  // that do not fit the tokens, lines and documents that cannot be read. Throws as `open` does.
  // Empty: they are those of the examples.
  std::function<void(const Language&, const AnnotationTells&)> read_annotated = {};
  // The same as `open` for those who need texts alone: their annotation is not looked at, so that
  // it cannot be faulty. Empty: `open` reads none, or does not fail for it.
  std::function<ExampleStreamPtr(const Language&)> open_texts = {};
  // Nobody knows whether its examples end: a run whose data is streamed does not wait for that.
  bool may_be_endless = false;
};

// The corpus without its annotation.
inline Reader texts_of(const Reader& reader) {
  return {.open = reader.open_texts ? reader.open_texts : reader.open,
          .may_be_endless = reader.may_be_endless};
}

// Opens it with somebody to tell.
inline ExampleStreamPtr open_telling(const Reader& reader, const Language& nlp,
                                     const CorpusTells& tells) {
  return reader.open_telling ? reader.open_telling(nlp, tells) : reader.open(nlp);
}

template <>
struct ProductTraits<Reader> {
  static constexpr std::string_view kind = "readers", name = "reader";
  static constexpr bool callable = true;
  static bool is_nothing(const Reader& reader) { return !reader.open; }
};

}  // namespace weft
