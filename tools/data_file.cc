#include "tools/data_file.h"

#include <fmt/format.h>

#include "framework/pipeline/document_files.h"
#include "framework/training/corpus_examples.h"
#include "registry/error.h"

namespace weft::tools {

std::vector<Example> read_examples(const std::filesystem::path& file, const Language& nlp,
                                   bool gold_preproc) {
  const ExampleStreamPtr stream =
      corpus_examples(open_documents(file, nlp), nlp, {.gold_preproc = gold_preproc});
  std::vector<Example> examples;
  while (const ExamplePtr example = stream->next()) examples.push_back(std::move(*example));
  if (examples.empty()) {
    throw Error(ErrorKind::data, fmt::format("{} holds no document", file.string()));
  }
  return examples;
}

}  // namespace weft::tools
