#include "registry/building/resolve.h"

#include <fmt/format.h>

#include "registry/building/builder.h"
#include "registry/filling/filler.h"

namespace weft {
namespace {

constexpr FillOptions kForBuilding = {.report_unknown = true, .report_not_built = true};

// Counts the errors that one step adds to a list that may hold others already.
bool adds_errors(Problems& problems, const auto& step) {
  Problems found;
  step(found);
  const bool errors = has_errors(found);
  problems.insert(problems.end(), found.begin(), found.end());
  return errors;
}

void report_no_such(std::string_view path, Problems& problems) {
  Problem& problem = problems.emplace_back();
  problem.reason = Reason::missing;
  problem.path = path;
  problem.message = "there is no such section";
}

// A copy of the section at `path`, an empty one if it is missing.
Node section_copy(const Config& config, std::string_view path) {
  const Node* node = config.find(path);
  return node != nullptr ? *node : Node(Object());
}

bool is_section(const Node& node, std::string_view path, Problems& problems) {
  if (node.is_object()) return true;
  Problem& problem = problems.emplace_back();
  problem.kind = ProblemKind::schema;
  problem.reason = Reason::type;
  problem.path = path;
  problem.place = node.origin;
  problem.message = fmt::format("expected a section, found {}", node.type_name());
  return false;
}

// All checks come before the first call: a function may read files or take long, and should not run
// for a config that cannot be built.
std::optional<Argument> build_checked(Node node, const std::string& path,
                                      const Catalogue& catalogue, const Schemas& schemas,
                                      Problems& problems) {
  const bool failed = adds_errors(problems, [&](Problems& found) {
    Filler(catalogue, schemas, found, kForBuilding).fill_node(node, path);
  });
  if (failed) return std::nullopt;
  return Builder(catalogue, problems).build(node, path);
}

}  // namespace

std::optional<Argument> resolve(const Config& config, const Catalogue& catalogue,
                                const Schemas& schemas, Problems& problems) {
  return build_checked(Node(config.root()), "", catalogue, schemas, problems);
}

std::optional<Argument> resolve_at(const Config& config, std::string_view path,
                                   const Catalogue& catalogue, const Schemas& schemas,
                                   Problems& problems) {
  const Node* node = config.find(path);
  if (node == nullptr) {
    report_no_such(path, problems);
    return std::nullopt;
  }
  return build_checked(*node, std::string(path), catalogue, schemas, problems);
}

std::optional<Arguments> resolve_arguments(const Config& config, std::string_view path,
                                           const Signature& signature, const Catalogue& catalogue,
                                           Problems& problems) {
  const std::string name(path);
  Node node = section_copy(config, path);
  if (!is_section(node, path, problems)) return std::nullopt;
  const bool failed = adds_errors(problems, [&](Problems& found) {
    const Schemas none;
    Filler(catalogue, none, found, kForBuilding)
        .fill_section(node, name, signature, UnknownKeys::error);
  });
  if (failed) return std::nullopt;
  return Builder(catalogue, problems).build_arguments({node, name, signature, ProblemKind::schema});
}

std::optional<Selected> resolve_selected(const Config& config, std::string_view path,
                                         std::string_view selector, std::string_view kind,
                                         const Catalogue& catalogue, Problems& problems) {
  const std::string name(path);
  Node node = section_copy(config, path);
  if (!is_section(node, path, problems)) return std::nullopt;
  Schemas schemas;
  SectionSchema schema;
  schema.section = name;
  schema.selector = selector;
  schema.kind = kind;
  schema.signature.parameters.push_back({.name = schema.selector, .type = Type::string()});
  schemas.add(std::move(schema));
  const bool failed = adds_errors(problems, [&](Problems& found) {
    Filler(catalogue, schemas, found, kForBuilding).fill_node(node, name);
  });
  if (failed) return std::nullopt;
  const Function* function = catalogue.find(kind, node.as_object().find(selector)->as_string());
  auto arguments = Builder(catalogue, problems)
                       .build_arguments({node, name, function->signature(), ProblemKind::validation,
                                         function->name(), selector});
  if (!arguments) return std::nullopt;
  return Selected{function, std::move(*arguments)};
}

}  // namespace weft
