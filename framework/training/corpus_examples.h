// From annotated documents to training examples. Source: spaCy 3.8, docs/ner-model.md 7.1.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/pipeline/component.h"
#include "framework/text/doc.h"

namespace weft {

class Language;

struct CorpusOptions {
  bool gold_preproc = false;  // the reference's words and sentences, an example for each sentence
  std::int64_t max_length =
      0;                   // documents with as many tokens are cut into sentences; 0 = no limit
  std::int64_t limit = 0;  // documents read; 0 = all
};

// Documents one after the other, nothing at the end.
using DocSource = std::function<std::optional<Doc>()>;

// Examples of the documents: text is tokenized anew, except where the spacing is unknown or
// `gold_preproc` is set. Empty documents are skipped; parts that stay too long are left out. `nlp`
// outlives the stream.
WEFT_API ExampleStreamPtr corpus_examples(DocSource documents, const Language& nlp,
                                          const CorpusOptions& options);

// The documents of a `.spacy` file or of all below a folder, one file open at a time. Throws
// Error(usage) for a path that is not there.
WEFT_API DocSource doc_bin_documents(const std::filesystem::path& path,
                                     std::shared_ptr<const Vocab> vocab);

// The documents of a CoNLL or IOB file, so many sentences in each.
WEFT_API DocSource conll_documents(const std::filesystem::path& path,
                                   std::shared_ptr<const Vocab> vocab,
                                   int sentences_per_document = 1);

// A file as it is; of a folder all files below it with that ending, hidden ones left out, sorted.
// Throws Error(usage) for a path that is not there.
WEFT_API std::vector<std::string> files_below(const std::filesystem::path& path,
                                              std::string_view ending);

// The path, or Error(config) that says which reader lacks one (a null path in a filled config).
WEFT_API std::string required_path(const std::optional<std::filesystem::path>& path,
                                   const char* reader);

}  // namespace weft
