// A corpus of CoNLL-U. Text is tokenized anew, as of any annotated text: the words' annotation
// comes over where they are the same.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "framework/pipeline/language.h"
#include "framework/text/conllu.h"
#include "framework/text/converter.h"
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
  bool merge_subtokens = false;
  bool gold_preproc = false;
  std::int64_t max_length = 0;
  std::int64_t limit = 0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "a .conllu file, or a folder of them; also .gz, .zst or .xz");
  v("sentences_per_document", c.sentences_per_document,
    "sentences put together; 0 = all up to a comment \"# newdoc\"", at_least(0));
  v("merge_subtokens", c.merge_subtokens, "a multi-word token is one token, not its words");
  v("gold_preproc", c.gold_preproc,
    "the words and sentences of the file, an example for each sentence");
  v("max_length", c.max_length,
    "documents with as many tokens are cut into sentences; 0 = no limit", at_least(0));
  v("limit", c.limit, "number of documents to read; 0 = all", at_least(0));
}

ConlluOptions reading_of(const Settings& c) {
  return {.sents_per_doc = c.sentences_per_document, .merge_subtokens = c.merge_subtokens};
}

ExampleStreamPtr open(const Settings& c, const Language& nlp) {
  const std::string path = required_path(c.path, "weft.ConlluCorpus.v1");
  const auto place = std::make_shared<ExamplePlace>();
  const CorpusOptions options{
      .gold_preproc = c.gold_preproc, .max_length = c.max_length, .limit = c.limit, .place = place};
  const auto open_file = [vocab = nlp.vocab(), reading = reading_of(c)](const std::string& file) {
    return std::make_unique<ConlluReader>(file, vocab, reading);
  };
  return corpus_examples(placed_documents(files_of_format(path, "conllu"), open_file, place), nlp,
                         options);
}

Reader conllu_corpus(const Settings& c) {
  return {.open = [c](const Language& nlp) { return open(c, nlp); },
          .read_annotated = annotated_conllu(c.path, reading_of(c))};
}

const Registration registered{"weft.ConlluCorpus.v1", conllu_corpus,
                              "annotated words from CoNLL-U files"};

}  // namespace
}  // namespace weft
