#include "tools/data_file.h"

#include <fmt/format.h>

#include "framework/training/corpus_examples.h"
#include "registry/error.h"

namespace weft::tools {
namespace {

namespace fs = std::filesystem;

DocSource documents_of(const fs::path& file, const Language& nlp) {
  const std::string ending = file.extension().string();
  if (fs::is_directory(file) || ending == ".spacy") return doc_bin_documents(file, nlp.vocab());
  if (ending == ".conll" || ending == ".iob" || ending == ".iob2" || ending == ".tsv") {
    return conll_documents(file, nlp.vocab());
  }
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: annotated data has the ending .conll, .iob or .spacy", file.string()));
}

}  // namespace

std::vector<Example> read_examples(const fs::path& file, const Language& nlp, bool gold_preproc) {
  if (!fs::exists(file)) {
    throw Error(ErrorKind::usage, fmt::format("there is no file or folder '{}'", file.string()));
  }
  const ExampleStreamPtr stream =
      corpus_examples(documents_of(file, nlp), nlp, {.gold_preproc = gold_preproc});
  std::vector<Example> examples;
  while (const ExamplePtr example = stream->next()) examples.push_back(std::move(*example));
  if (examples.empty()) {
    throw Error(ErrorKind::data, fmt::format("{} holds no document", file.string()));
  }
  return examples;
}

}  // namespace weft::tools
