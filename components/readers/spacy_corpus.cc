// A corpus of `.spacy` files, compressed ones too.
#include <filesystem>
#include <memory>
#include <optional>

#include "framework/pipeline/language.h"
#include "framework/text/known_format.h"
#include "framework/text/packed_doc_bin.h"
#include "framework/training/annotated_files.h"
#include "framework/training/augmenter.h"
#include "framework/training/corpus_examples.h"
#include "framework/training/on_misaligned.h"
#include "framework/training/placed_documents.h"
#include "framework/training/reader.h"
#include "registry/base/input_file.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::optional<std::filesystem::path> path;
  bool gold_preproc = false;
  int max_length = 0;
  int limit = 0;
  std::optional<Augmenter> augmenter;
  AlignmentPolicy on_misaligned = AlignmentPolicy::drop;  // as the reference
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "a .spacy file, also .gz, .zst or .xz, or a folder of them");
  v.required("gold_preproc", c.gold_preproc, "train on the annotated sentences and tokens");
  v("max_length", c.max_length,
    "documents with as many tokens are cut into sentences; 0 = no limit", at_least(0));
  v("limit", c.limit, "number of documents to read; 0 or less = all");
  v("augmenter", c.augmenter, "changes examples as they are read");
  v("on_misaligned", c.on_misaligned, kOnMisalignedDoc, not_filled);
}

ExampleStreamPtr open(const Settings& c, const Language& nlp, const MisalignedSink& tell) {
  const std::string path = required_path(c.path, "spacy.Corpus.v1");
  const auto place = std::make_shared<ExamplePlace>();
  const CorpusOptions options{c.gold_preproc, c.max_length, c.limit, c.on_misaligned, tell, place};
  const auto open_file = [vocab = nlp.vocab()](const std::string& file) {
    refuse_other_format(file, KnownFormat::spacy);
    require_regular(file);
    return std::make_unique<PackedDocBin>(file, vocab);
  };
  ExampleStreamPtr examples =
      corpus_examples(placed_documents(doc_bins_below(path), open_file, place), nlp, options);
  return c.augmenter ? augmented(std::move(examples), nlp, *c.augmenter) : std::move(examples);
}

Reader spacy_corpus(const Settings& c) {
  return {
      [c](const Language& nlp) { return open(c, nlp, {}); },
      [c](const Language& nlp, const CorpusTells& tells) { return open(c, nlp, tells.misaligned); },
      c.on_misaligned, annotated_doc_bins(c.path)};
}

const Registration registered{"spacy.Corpus.v1", spacy_corpus, "documents from .spacy files"};

}  // namespace
}  // namespace weft
