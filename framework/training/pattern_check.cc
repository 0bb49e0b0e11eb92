#include "framework/training/pattern_check.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "framework/matching/dead_pattern.h"
#include "framework/matching/matcher.h"
#include "framework/pipeline/check_config.h"
#include "framework/pipeline/has_patterns.h"
#include "framework/pipeline/init_settings.h"
#include "registry/base/error.h"
#include "registry/building/resolve.h"
#include "registry/functions/fact.h"

namespace weft {
namespace {

// Of one pattern: the error that it is, or the first condition of it that means nothing.
struct Findings {
  std::optional<std::string> fault, doubt;
};

Findings findings_in(const List& tokens) {
  try {
    Matcher matcher(false);
    matcher.add("it", Node(List{Node(tokens)}));
    if (!matcher.warnings().empty()) return {{}, matcher.warnings().front()};
  } catch (const Error& error) {
    return {error.what(), {}};
  }
  return {};
}

void check_pattern(const GivenPattern& pattern, const PatternUse& use, const std::string& section,
                   const DataSink& tell) {
  DataProblem problem;
  problem.corpus = section;
  const auto [fault, doubt] = findings_in(pattern.tokens);
  if (fault) {
    problem.fault = DataFault::bad_pattern;
    problem.message = fmt::format("{}: {}", pattern.place, *fault);
    problem.repair = "mend it; training stops there";
  } else if (doubt) {
    problem.fault = DataFault::void_condition;
    problem.message = fmt::format("{}: {}", pattern.place, *doubt);
    problem.repair = "mend the condition, or leave it out";
  } else if (const auto reason = why_never(pattern.tokens, use)) {
    problem.fault = DataFault::dead_pattern;
    problem.message = fmt::format("{} can never match: {}", pattern.place, *reason);
    problem.repair = "change the pattern, or leave it out";
  } else {
    return;
  }
  tell(std::move(problem));
}

// As the component's factory says of itself.
bool changes_tokens(const std::string& component, const Config& values,
                    const Catalogue& catalogue) {
  const Node* factory = values.find("components." + component + ".factory");
  if (factory == nullptr || !factory->is_string()) return false;
  const Function* function = catalogue.find("factories", factory->as_string());
  return function != nullptr && has_fact(*function, "retokenizes");
}

}  // namespace

void check_patterns(const Language& nlp, const Config& values, const Catalogue& catalogue,
                    const DataSink& tell) {
  Problems problems;
  const auto settings =
      resolve_section<InitializeSettings>(values, "initialize", catalogue, problems);
  throw_errors(std::move(problems));
  const PatternUse use{*nlp.vocab(),
                       [&](std::string_view text) { return nlp.make_doc(text).size(); }};
  for (const NamedComponent& one : nlp.pipeline()) {
    if (!one.enabled) continue;
    if (changes_tokens(one.name, values, catalogue)) return;
    const auto* const component = dynamic_cast<const HasPatterns*>(one.component.get());
    if (component == nullptr) continue;
    const std::string section = fmt::format("initialize.components.{}", one.name);
    for (const GivenPattern& pattern :
         component->given_patterns(component_settings(nlp, one, *settings))) {
      check_pattern(pattern, use, section, tell);
    }
  }
}

}  // namespace weft
