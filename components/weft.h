// The header of programs that make, train and use pipelines. docs/cpp-api.md walks through it.
//
//   auto nlp = weft::load("out/model-best");
//   for (const weft::Doc& doc : nlp->pipe(texts, {.threads = 4})) ...
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "components/builtin.h"
#include "framework/pipeline/build_pipeline.h"
#include "framework/pipeline/choose_device.h"
#include "framework/pipeline/language.h"
#include "framework/text/example.h"
#include "framework/training/optimizer.h"
#include "registry/overrides/overrides.h"

namespace weft {

// Everything that comes with the library, made on first use. A program that loads plugins makes a
// catalogue of its own (add_builtin, load_plugin) and passes that.
WEFT_API const Catalogue& builtin_catalogue();

// A saved pipeline, of weft or of spaCy 3. Throws as load_pipeline does.
WEFT_API std::shared_ptr<Language> load(const std::filesystem::path& folder,
                                        const Catalogue& catalogue = builtin_catalogue());

// The same without some of its components: {.exclude = {"parser"}} neither builds nor reads that
// one, which may be unknown here.
WEFT_API std::shared_ptr<Language> load(const std::filesystem::path& folder,
                                        const ComponentChoice& choice,
                                        const Catalogue& catalogue = builtin_catalogue());

// A pipeline to be initialised: the components with the defaults of their factories, called by the
// factories' names. Throws Error(config) for a language or a factory that is not there.
WEFT_API std::shared_ptr<Language> blank(std::string_view lang,
                                         const std::vector<std::string>& factories = {},
                                         const Catalogue& catalogue = builtin_catalogue());

// The pipeline of a config file, to be initialised. Throws Error(usage) if there is no such file,
// Error(config) with all problems of its contents.
WEFT_API std::shared_ptr<Language> from_config(const std::filesystem::path& file,
                                               const Overrides& overrides = {},
                                               const Catalogue& catalogue = builtin_catalogue());

// The pipeline of a config file without training: sourced components, and those that need no
// weights, initialised. Throws as from_config, and Error(config) for a component that would have
// to be trained.
WEFT_API std::shared_ptr<Language> assemble(const std::filesystem::path& file,
                                            const Overrides& overrides = {},
                                            const Catalogue& catalogue = builtin_catalogue());

// The examples in groups of `size`, the last one smaller. Throws Error(usage) for a size of 0.
WEFT_API std::vector<std::span<Example>> minibatch(std::span<Example> examples, std::size_t size);

}  // namespace weft
