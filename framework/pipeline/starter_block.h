// The settings that `init config` writes for a component beyond its defaults. A factory says so
// beside its registration, in its facts:
//
//   Registration{"ner", ner, "named entities"}.meta(R"({
//     "starter": {"model": {"@architectures": "…", "tok2vec": {"@architectures":
//       "spacy.Tok2VecListener.v1", "width": "${components.tok2vec.model.encode.width}"}}},
//     "starter_accuracy": {…}})")
//
// `starter` holds the settings for either goal; `starter_accuracy`, where there is one, takes its
// place for the goal accuracy. A variable `${components.NAME…}` brings the factory NAME with it,
// in front of the pipeline. Source: docs/training.md, "Starting a config".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

enum class Goal { efficiency, accuracy };

// The block of the factory `name`, with `factory = name` alone where nobody declares more, and the
// defaults of the factory `lang.name` where there is one. `reserved` has facts of factories that
// declare none themselves, by name. Variables are kept.
WEFT_API Object starter_block(const std::string& name, std::string_view lang, Goal goal,
                              const Catalogue& catalogue, const Object& reserved);

// The components that variables of the block name: `tok2vec` for the example above. In the order
// of the text, each once.
WEFT_API std::vector<std::string> components_named_by(const Object& block);

}  // namespace weft
