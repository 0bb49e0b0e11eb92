#include "tools/conllu_words.h"

#include <memory>

#include <fmt/format.h>

#include "framework/io/file_limits.h"
#include "registry/base/error.h"
#include "registry/base/input_file.h"
#include "registry/value/json.h"

namespace weft::tools {

void accept_conllu(CommandLine& line) {
  line.flag("merge-subtokens,T", "CoNLL-U: a multi-word token is one token, not its words");
  line.flag("morphology,m", "CoNLL-U: features go behind the tags, TAG__Number=Sing");
  line.option("ner-map", "FILE", "CoNLL-U: JSON object from labels to new ones, \"\" for none");
  line.also("ner-map", {"-nm"});
}

ConlluOptions conllu_options(const CommandLine& line) {
  ConlluOptions options{.merge_subtokens = line.has("merge-subtokens"),
                        .append_morphology = line.has("morphology"),
                        .as_spacy = true};
  if (!line.has("ner-map")) return options;
  const std::string file = line.text("ner-map");
  const Origin place = Origin::file(std::make_shared<const std::string>(file), 0, 0);
  const auto map =
      parse_json(InputFile(file, Accepts::open_pipes, ErrorKind::usage).read_all(kMostSettings));
  if (!map || !map->is_object()) {
    throw Error(ErrorKind::data, R"(the map of labels is no object like {"PERSON": "PER"})", place);
  }
  for (const auto& [label, name] : map->as_object()) {
    if (!name.is_string()) {
      throw Error(ErrorKind::data,
                  fmt::format("\"{}\" becomes a label, which is a text; \"\" leaves it out", label),
                  place);
    }
    options.ner_map[label] = name.as_string();
  }
  return options;
}

}  // namespace weft::tools
