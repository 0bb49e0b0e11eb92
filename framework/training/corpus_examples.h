// From annotated documents to training examples. Source: spaCy 3.8, docs/ner-model.md 7.1.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "framework/pipeline/component.h"
#include "framework/text/char_ents.h"
#include "framework/text/doc_source.h"
#include "framework/text/example.h"

namespace weft {

class Language;

struct CorpusOptions {
  bool gold_preproc = false;  // the reference's words and sentences, an example for each sentence
  std::int64_t max_length =
      0;                   // documents with as many tokens are cut into sentences; 0 = no limit
  std::int64_t limit = 0;  // documents read; 0 = all
  // The fate of entities that do not fall on tokens, and the receiver of the report.
  AlignmentPolicy on_misaligned = AlignmentPolicy::drop;
  MisalignedSink tell = {};
  // The place of the document that the source gave last; may be null.
  std::shared_ptr<const ExamplePlace> place = nullptr;
};

// Examples of the documents: text is tokenized anew, except where the spacing is unknown or
// `gold_preproc` is set. Empty documents are skipped; parts that stay too long are left out. `nlp`
// outlives the stream.
WEFT_API ExampleStreamPtr corpus_examples(DocSource documents, const Language& nlp,
                                          const CorpusOptions& options);

// The examples of one document, in order. Gives whether there was one to make: none for an empty
// document.
WEFT_API bool examples_of(Doc document, const Language& nlp, const CorpusOptions& options,
                          const std::function<void(ExamplePtr)>& take);

// The path, or Error(config) that says which reader lacks one (a null path in a filled config).
WEFT_API std::string required_path(const std::optional<std::filesystem::path>& path,
                                   const char* reader);

}  // namespace weft
