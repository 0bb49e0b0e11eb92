#include "tools/component_choice.h"

#include <string>
#include <string_view>
#include <utility>

#include "framework/pipeline/build_pipeline.h"
#include "registry/base/error.h"
#include "tools/name_list.h"

namespace weft::tools {
namespace {

constexpr std::string_view kComponents = "components.";

std::string component_of(const Problem& problem) {
  if (!problem.path.starts_with(kComponents)) return "";
  const std::string below = problem.path.substr(kComponents.size());
  return below.substr(0, below.find('.'));
}

// Says of each component that is not here how the others can be used.
Problems with_advice(Problems problems) {
  for (Problem& problem : problems) {
    const bool is_missing =
        problem.kind == ProblemKind::unknown_function || problem.kind == ProblemKind::not_built;
    const std::string component = component_of(problem);
    if (is_missing && !component.empty()) {
      problem.message += "; --exclude " + component + " leaves it out";
    }
  }
  return problems;
}

}  // namespace

void accept_component_choice(CommandLine& line) {
  line.option("exclude", "NAMES", "components that are left out, separated by commas");
  line.option("enable", "NAMES", "components that are used, without all others");
}

std::shared_ptr<Language> load_chosen(const CommandLine& line, const Catalogue& catalogue) {
  const ComponentChoice choice{.exclude = split_names(line.text("exclude")),
                               .enable = split_names(line.text("enable")),
                               .read_disabled = line.text("enable").empty()};
  try {
    return load_pipeline(line.path("PIPELINE"), catalogue, {}, choice);
  } catch (const Error& error) {
    if (error.problems().empty()) throw;
    throw Error(error.kind(), with_advice(error.problems()));
  }
}

}  // namespace weft::tools
