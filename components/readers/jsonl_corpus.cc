// A corpus of JSON lines. Annotation in a line (entities, categories) becomes the reference's; the
// reference implementation reads the text alone.
#include <filesystem>
#include <memory>
#include <optional>

#include "framework/io/files_below.h"
#include "framework/pipeline/language.h"
#include "framework/text/jsonl_reader.h"
#include "framework/training/corpus_examples.h"
#include "framework/training/example_streams.h"
#include "framework/training/reader.h"
#include "registry/registration.h"

namespace weft {
namespace {

struct Settings {
  std::optional<std::filesystem::path> path;
  int min_length = 0;
  int max_length = 0;
  int limit = 0;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "a .jsonl file, or a folder of them");
  v("min_length", c.min_length, "shorter documents (in tokens) are left out", at_least(0));
  v("max_length", c.max_length, "documents with as many tokens are left out; 0 = no limit",
    at_least(0));
  v("limit", c.limit, "number of documents to read; 0 = all", at_least(0));
}

bool fits(const Settings& c, int tokens) {
  return tokens > 0 && tokens >= c.min_length && (c.max_length == 0 || tokens < c.max_length);
}

ExampleStreamPtr open(const Settings& c, const Language& nlp) {
  const std::string path = required_path(c.path, "spacy.JsonlCorpus.v1");
  const auto open_file = [&nlp](const std::string& file) {
    const auto make = [&nlp](std::string_view text) { return nlp.make_doc(text); };
    return std::make_unique<JsonlReader>(file, nlp.vocab(), make);
  };
  const auto documents = documents_of(files_below(path, ".jsonl"), open_file);
  const auto next = [documents, c]() -> ExamplePtr {
    while (auto doc = documents()) {
      if (!fits(c, doc->size())) continue;
      Doc predicted(doc->vocab(), doc->tokens());
      return std::make_shared<Example>(std::move(predicted), std::move(*doc));
    }
    return nullptr;
  };
  return first_examples(stream_of(next), c.limit);
}

Reader jsonl_corpus(const Settings& c) {
  return {[c](const Language& nlp) { return open(c, nlp); }};
}

const Registration registered{"spacy.JsonlCorpus.v1", jsonl_corpus, "documents from JSON lines"};

}  // namespace
}  // namespace weft
