#include "components/weft.h"

#include <algorithm>
#include <utility>

#include "framework/pipeline/assembled_pipeline.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Warnings are of no use to a program.
std::shared_ptr<Language> built(const Config& config, Problems problems,
                                const Catalogue& catalogue) {
  throw_errors(std::move(problems));
  return build_pipeline(config, catalogue);
}

}  // namespace

const Catalogue& builtin_catalogue() {
  static const Catalogue& catalogue = *new Catalogue([] {
    Catalogue all;
    add_builtin(all);
    return all;
  }());
  return catalogue;
}

std::shared_ptr<Language> load(const std::filesystem::path& folder, const Catalogue& catalogue) {
  return load_pipeline(folder, catalogue);
}

std::shared_ptr<Language> load(const std::filesystem::path& folder, const ComponentChoice& choice,
                               const Catalogue& catalogue) {
  return load_pipeline(folder, catalogue, {}, choice);
}

std::shared_ptr<Language> blank(std::string_view lang, const std::vector<std::string>& factories,
                                const Catalogue& catalogue) {
  Object nlp;
  Object components;
  List names;
  for (const std::string& factory : factories) {
    Object block;
    block.set("factory", factory);
    components.set(factory, std::move(block));
    names.emplace_back(factory);
  }
  nlp.set("lang", std::string(lang));
  nlp.set("pipeline", std::move(names));
  Config config;
  config.root().set("nlp", std::move(nlp));
  config.root().set("components", std::move(components));
  Problems problems;
  const Config filled = fill_pipeline_config(config, catalogue, problems);
  return built(filled, std::move(problems), catalogue);
}

std::shared_ptr<Language> from_config(const std::filesystem::path& file, const Overrides& overrides,
                                      const Catalogue& catalogue) {
  Problems problems;
  const Config config = load_pipeline_config(file, overrides, catalogue, problems);
  return built(config, std::move(problems), catalogue);
}

std::shared_ptr<Language> assemble(const std::filesystem::path& file, const Overrides& overrides,
                                   const Catalogue& catalogue) {
  Problems problems;
  const Config config = load_pipeline_config(file, overrides, catalogue, problems);
  throw_errors(std::move(problems));
  return assembled_pipeline(config, catalogue);
}

std::vector<std::span<Example>> minibatch(std::span<Example> examples, std::size_t size) {
  if (size == 0) throw Error(ErrorKind::usage, "a batch of 0 examples");
  std::vector<std::span<Example>> batches;
  for (; !examples.empty(); examples = examples.subspan(batches.back().size())) {
    batches.push_back(examples.first(std::min(size, examples.size())));
  }
  return batches;
}

}  // namespace weft
