#include "framework/pipeline/init_settings.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/pipeline/check_config.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/problem_places.h"
#include "framework/text/lookups.h"
#include "registry/base/suggest.h"
#include "registry/checking/section_check.h"
#include "registry/functions/block.h"
#include "registry/functions/fit.h"

namespace weft {
namespace {

constexpr const char* kSections = "initialize.components";

std::string section_of(const std::string& component) {
  return fmt::format("{}.{}", kSections, component);
}

const Origin& place_of(const Node& node) {
  return node.key_origin.source == Origin::Source::none ? node.origin : node.key_origin;
}

// A section of a component that the pipeline leaves out is as good as its [components.NAME].
void check_names(const Language& nlp, const Config& values, Problems& problems) {
  const Node* sections = values.find(kSections);
  if (sections == nullptr || !sections->is_object()) return;
  std::vector<std::string> known;
  for (const NamedComponent& one : nlp.pipeline()) known.push_back(one.name);
  for (const auto& [name, node] : sections->as_object()) {
    if (nlp.find(name) != nullptr || values.find("components." + name) != nullptr) continue;
    Problem& problem = problems.emplace_back();
    problem.kind = ProblemKind::schema;
    problem.reason = Reason::unexpected;
    problem.place = place_of(node);
    problem.path = section_of(name);
    problem.message = "there is no such component";
    problem.suggestion = join_or(nearest(name, known));
  }
}

void check_settings(const NamedComponent& one, const Config& values, const Catalogue& catalogue,
                    Problems& problems) {
  const std::string path = section_of(one.name);
  const Node* given = values.find(path);
  Node none{Object()};
  if (given == nullptr) {
    if (const Node* block = values.find("components." + one.name)) none.origin = block->origin;
    given = &none;
  }
  // Of another value the schema of [initialize] tells; the result of a function is not known yet.
  if (!given->is_object() || is_block(*given)) return;
  const Signature signature = one.component->init_settings();
  check_section({*given, path, signature, ProblemKind::schema}, catalogue, problems);
}

// Puts one setting into `object`, or says why it is none of the component's.
void take(const CheckedSection& section, const std::string& key, Argument value,
          const Origin& place, Object& object, Problems& problems) {
  const std::string path = fmt::format("{}.{}", section.path, key);
  const FunctionParameter* parameter = section.signature.find(key);
  if (parameter == nullptr) {
    problems.push_back(
        section_problem(section, Reason::unexpected, path, place, "unknown setting"));
    problems.back().suggestion = join_or(nearest(key, section.signature.names()));
    return;
  }
  FitReport report;
  const bool fits = fit(parameter->type, value, report);
  report_fit(section, report, path, place, Reason::type, problems);
  if (!fits) return;
  if (const Lookups* lookups = value.is_product() ? value.product().get<Lookups>() : nullptr) {
    object.set(key, lookups->packed());  // as a file holds them
  } else if (value.is_data()) {
    object.set(key, std::move(value.data()));
  } else {
    problems.push_back(section_problem(section, Reason::type, path, place,
                                       fmt::format("{} is no data", value.type_name())));
  }
}

}  // namespace

Problems init_settings_problems(const Language& nlp, const Catalogue& catalogue) {
  const Config values = expanded(nlp.config());
  Problems problems;
  check_names(nlp, values, problems);
  for (const NamedComponent& one : nlp.pipeline()) check_settings(one, values, catalogue, problems);
  point_at_overrides(nlp.config(), problems);
  return problems;
}

Object component_settings(const Language& nlp, const NamedComponent& component,
                          const InitializeSettings& settings) {
  Object object;
  const auto found = settings.components.find(component.name);
  if (found == settings.components.end()) return object;
  const std::string path = section_of(component.name);
  const Signature signature = component.component->init_settings();
  const Node whole{Object()};
  const CheckedSection section{whole, path, signature, ProblemKind::schema};
  Problems problems;
  for (const auto& [key, value] : found->second) {
    const Node* given = nlp.config().find(fmt::format("{}.{}", path, key));
    take(section, key, value, given == nullptr ? Origin() : given->origin, object, problems);
  }
  throw_errors(std::move(problems));
  return object;
}

}  // namespace weft
