// A corpus of records in JSON (docs/data.md). Their annotation (entities, categories) becomes the
// reference's; the reference implementation reads the text alone.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/text/converter.h"
#include "framework/text/jsonl_reader.h"
#include "framework/text/known_format.h"
#include "framework/training/annotated_files.h"
#include "framework/training/corpus_examples.h"
#include "framework/training/example_streams.h"
#include "framework/training/on_misaligned.h"
#include "framework/training/placed_documents.h"
#include "framework/training/reader.h"
#include "registry/functions/registration.h"

namespace weft {
namespace {

struct Settings {
  std::optional<std::filesystem::path> path;
  int min_length = 0;
  int max_length = 0;
  int limit = 0;
  AlignmentPolicy on_misaligned = AlignmentPolicy::error;
  std::vector<std::string> tag_names;
};

template <class V>
void fields(V& v, Settings& c) {
  v.required("path", c.path, "a .jsonl or .json file of records, or a folder of .jsonl files");
  v("min_length", c.min_length, "shorter documents (in tokens) are left out", at_least(0));
  v("max_length", c.max_length, "documents with as many tokens are left out; 0 = no limit",
    at_least(0));
  v("limit", c.limit, "number of documents to read; 0 or less = all");
  v("on_misaligned", c.on_misaligned, kOnMisalignedDoc, not_filled);
  v("tag_names", c.tag_names, "names of tags that the records give as numbers, in their order",
    not_filled);
}

bool fits(const Settings& c, int tokens) {
  return tokens > 0 && tokens >= c.min_length && (c.max_length == 0 || tokens < c.max_length);
}

ExampleStreamPtr open(const Settings& c, const Language& nlp, const JsonlOptions& options) {
  const std::string path = required_path(c.path, "spacy.JsonlCorpus.v1");
  const auto open_file = [&nlp, options](const std::string& file) {
    refuse_other_format(file, KnownFormat::jsonl);
    const auto make = [&nlp](std::string_view text) { return nlp.make_doc(text); };
    return std::make_unique<JsonlReader>(file, nlp.vocab(), make, options);
  };
  const auto place = std::make_shared<ExamplePlace>();
  const auto documents = placed_documents(files_of_format(path, "jsonl"), open_file, place);
  const auto next = [documents, c, place]() -> ExamplePtr {
    while (auto doc = documents()) {
      if (!fits(c, doc->size())) continue;
      Doc predicted(doc->vocab(), doc->tokens());
      auto example = std::make_shared<Example>(std::move(predicted), std::move(*doc));
      example->set_place(*place);
      return example;
    }
    return nullptr;
  };
  return first_examples(stream_of(next), c.limit);
}

Reader jsonl_corpus(const Settings& c) {
  const auto open_annotated = [c](const Language& nlp, const CorpusTells& tells) {
    return open(c, nlp,
                {.on_misaligned = c.on_misaligned,
                 .tell = tells.misaligned,
                 .left_out = tells.left_out,
                 .records = {c.tag_names}});
  };
  return {.open = [open_annotated](const Language& nlp) { return open_annotated(nlp, {}); },
          .open_telling = open_annotated,
          .on_misaligned = c.on_misaligned,
          .read_annotated = annotated_jsonl(c.path, c.tag_names),
          .open_texts = [c](const Language& nlp) { return open(c, nlp, {.text_only = true}); }};
}

const Registration registered{"spacy.JsonlCorpus.v1", jsonl_corpus, "documents from JSON lines"};

}  // namespace
}  // namespace weft
