// Fills in defaults, checks a config against signatures and schemas, and builds what it names.
// Source: docs/config.md, "Function blocks", "Checks against signatures", "Filling".
#pragma once

#include <optional>
#include <string_view>

#include "registry/argument.h"
#include "registry/catalogue.h"
#include "registry/config.h"
#include "registry/problem.h"
#include "registry/schema.h"

namespace weft {

struct FillOptions {
  bool validate = true;  // false: extra keys stay, missing ones stay missing, nothing is said
  bool report_unknown = false;  // unknown kinds and functions are errors; else they are left alone
  bool report_not_built = false;  // functions that are known but cannot be built are errors
  bool keep_variables =
      false;                  // expand, fill, then lay the original with its ${...} over the result
  bool all_defaults = false;  // also those of parameters that are not filled
};

// The config with every missing parameter that has a default, and all problems found: outer blocks
// before inner ones, in the tree's order. Without `keep_variables` no ${...} may be left in
// `config`.
WEFT_API Config fill(const Config& config, const Catalogue& catalogue, const Schemas& schemas,
                     Problems& problems, const FillOptions& options = {});

// Fills, checks, and builds everything the config names, inside out. If there is any error before
// building no function is called, and nothing is returned. What a function throws becomes a
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
