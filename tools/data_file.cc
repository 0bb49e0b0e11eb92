#include "tools/data_file.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "framework/training/corpus_examples.h"
#include "registry/error.h"
#include "tools/documents.h"

namespace weft::tools {

std::vector<Example> read_examples(const std::filesystem::path& file, const Language& nlp,
                                   const Catalogue& catalogue, bool gold_preproc) {
  std::vector<Doc> docs = read_documents(file.string(), nlp, catalogue, AlignmentPolicy::error);
  std::size_t next = 0;
  const auto source = [&]() -> std::optional<Doc> {
    if (next == docs.size()) return std::nullopt;
    return std::move(docs[next++]);
  };
  const ExampleStreamPtr stream = corpus_examples(source, nlp, {.gold_preproc = gold_preproc});
  std::vector<Example> examples;
  while (const ExamplePtr example = stream->next()) examples.push_back(std::move(*example));
  if (examples.empty()) {
    throw Error(ErrorKind::data, fmt::format("{} holds no document", file.string()));
  }
  return examples;
}

}  // namespace weft::tools
