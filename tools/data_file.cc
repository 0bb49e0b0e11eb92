#include "tools/data_file.h"

#include <iostream>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "framework/text/warning_limit.h"
#include "framework/training/corpus_examples.h"
#include "registry/base/error.h"
#include "tools/documents.h"

namespace weft::tools {

void read_examples(const std::filesystem::path& file, const Language& nlp,
                   const Catalogue& catalogue, const DataOptions& options,
                   const std::function<void(const ExamplePtr&)>& take) {
  const Converter converter = converter_of("", file.string(), catalogue);
  WarningLimit warnings(std::cerr);
  LeftOut left_out;
  const auto tell = [&](const Misaligned& entity) {
    warnings.show(
        "an entity that does not fit the tokens",
        fmt::format("warning: {}{}{}", entity.place.file.empty() ? file.string() + "  " : "",
                    entity.str(), entity.kept ? "" : "; it is left out"));
  };
  const ConverterInput input{.path = file.string(),
                             .vocab = nlp.vocab(),
                             .make_doc = [&](std::string_view text) { return nlp.make_doc(text); },
                             .on_misaligned = options.on_misaligned,
                             .tell = tell,
                             .left_out = left_out.sink(),
                             .records = {options.tag_names}};
  const auto place = std::make_shared<ExamplePlace>();
  const CorpusOptions corpus{.gold_preproc = options.gold_preproc, .tell = tell, .place = place};
  bool any = false;
  converter.read(input, [&](Doc doc) {
    ++place->document;
    examples_of(std::move(doc), nlp, corpus, [&](const ExamplePtr& example) {
      any = true;
      take(example);
    });
  });
  warnings.summarize();
  left_out.tell();
  if (any) return;
  throw Error(ErrorKind::data, place->document == 0
                                   ? fmt::format("{} holds no document", file.string())
                                   : fmt::format("none of the {} documents of {} has a token",
                                                 place->document, file.string()));
}

}  // namespace weft::tools
