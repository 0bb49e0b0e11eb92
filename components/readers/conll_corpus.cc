// A corpus of words and entity tags, one token per line. The words are taken as they are: nothing
// is tokenized anew.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "framework/pipeline/language.h"
#include "framework/text/conll.h"
#include "framework/text/converter.h"
#include "framework/text/known_format.h"
#include "framework/training/annotated_files.h"
#include "framework/training/corpus_examples.h"
#include "framework/training/placed_documents.h"
#include "framework/training/reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::optional<std::filesystem::path> path;
  int sentences_per_document = 1;
  std::int64_t max_length = 0;
  std::int64_t limit = 0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path,
             "file with a word and its tag on each line (IOB, IOB2 or BILUO), or a folder of them");
  v("sentences_per_document", c.sentences_per_document,
    "sentences put together; 0 = all up to a -DOCSTART- line", at_least(0));
  v("max_length", c.max_length,
    "documents with as many tokens are cut into sentences; 0 = no limit", at_least(0));
  v("limit", c.limit, "number of documents to read; 0 = all", at_least(0));
}

ConllOptions reading_of(const Settings& c) {
  return {.sents_per_doc = c.sentences_per_document};
}

ExampleStreamPtr open(const Settings& c, const Language& nlp) {
  const std::string path = required_path(c.path, "weft.ConllCorpus.v1");
  const auto place = std::make_shared<ExamplePlace>();
  const CorpusOptions options{.max_length = c.max_length, .limit = c.limit, .place = place};
  const auto open_file = [vocab = nlp.vocab(), reading = reading_of(c)](const std::string& file) {
    refuse_other_format(file, KnownFormat::conll);
    return std::make_unique<ConllReader>(file, vocab, reading);
  };
  return corpus_examples(placed_documents(files_of_format(path, "conll"), open_file, place), nlp,
                         options);
}

Reader conll_corpus(const Settings& c) {
  return {.open = [c](const Language& nlp) { return open(c, nlp); },
          .read_annotated = annotated_conll(c.path, reading_of(c))};
}

const Registration registered{"weft.ConllCorpus.v1", conll_corpus,
                              "words with entity tags from a CoNLL or IOB file"};

}  // namespace
}  // namespace weft
