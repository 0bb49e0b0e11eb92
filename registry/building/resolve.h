// Builds the objects that a config names, once it is filled and checked.
// Source: docs/config.md, "Function blocks", "Checks against signatures".
#pragma once

#include <optional>
#include <string_view>

#include "registry/base/problem.h"
#include "registry/functions/argument.h"
#include "registry/functions/catalogue.h"
#include "registry/functions/schema.h"
#include "registry/value/config.h"

namespace weft {

// Fills, checks, and builds everything the config names, inside out. If there is any error before
// building no function is called, and nothing is returned. An exception of a function becomes a
// `function_raised` problem; an Error of another kind than `config` passes through.
WEFT_API std::optional<Argument> resolve(const Config& config, const Catalogue& catalogue,
                                         const Schemas& schemas, Problems& problems);

// The same for the one node at a dotted path, as if the rest of the config were plain data.
// Nothing, with a problem, if there is no such node.
WEFT_API std::optional<Argument> resolve_at(const Config& config, std::string_view path,
                                            const Catalogue& catalogue, const Schemas& schemas,
                                            Problems& problems);

// Fills and checks the section at `path` against `signature`, builds its values.
WEFT_API std::optional<Arguments> resolve_arguments(const Config& config, std::string_view path,
                                                    const Signature& signature,
                                                    const Catalogue& catalogue, Problems& problems);

// The arguments of the factory that the section at `path` selects with its key `selector`
// (`factory = "ner"`), and the function; see SectionSchema.
struct Selected {
  const Function* function;
  Arguments arguments;
};
WEFT_API std::optional<Selected> resolve_selected(const Config& config, std::string_view path,
                                                  std::string_view selector, std::string_view kind,
                                                  const Catalogue& catalogue, Problems& problems);

// A section as a struct with `fields`: resolve_section<TrainingSettings>(config, "training", ...).
// A missing section counts as an empty one.
template <class Settings>
std::optional<Settings> resolve_section(const Config& config, std::string_view path,
                                        const Catalogue& catalogue, Problems& problems) {
  auto arguments = resolve_arguments(config, path, signature_of<Settings>(), catalogue, problems);
  if (!arguments) return std::nullopt;
  return read_fields<Settings>(*arguments);
}

}  // namespace weft
