#include "tools/data_file.h"

#include <utility>

#include <fmt/format.h>

#include "framework/training/corpus_examples.h"
#include "registry/base/error.h"
#include "tools/documents.h"

namespace weft::tools {

void read_examples(const std::filesystem::path& file, const Language& nlp,
                   const Catalogue& catalogue, bool gold_preproc,
                   const std::function<void(const ExamplePtr&)>& take) {
  const Converter converter = converter_of("", file.string(), catalogue);
  const ConverterInput input{.path = file.string(),
                             .vocab = nlp.vocab(),
                             .make_doc = [&](std::string_view text) { return nlp.make_doc(text); }};
  const CorpusOptions options{.gold_preproc = gold_preproc};
  bool any = false;
  converter.read(input, [&](Doc doc) {
    examples_of(std::move(doc), nlp, options, [&](const ExamplePtr& example) {
      any = true;
      take(example);
    });
  });
  if (!any) throw Error(ErrorKind::data, fmt::format("{} holds no document", file.string()));
}

}  // namespace weft::tools
