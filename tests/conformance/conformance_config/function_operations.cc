// The operations that call functions: those of functions.json, from a plugin.
#include <cstdlib>
#include <filesystem>

#include "registry/building/resolve.h"
#include "registry/filling/fill.h"
#include "registry/functions/block.h"
#include "registry/plugins/plugin.h"
#include "registry/variables/interpolate.h"
#include "registry/writing/cfg_writer.h"
#include "tests/conformance/conformance_config/operations.h"
#include "tests/conformance/conformance_config/read_case.h"
#include "tests/conformance/functions/recorded.h"

namespace weft::conformance {
namespace {

const Catalogue& functions_of(const Case& record) {
  static const Catalogue catalogue = [&] {
    setenv("WEFT_CONFORMANCE_FUNCTIONS", record.functions().c_str(), 1);
    Catalogue loaded;
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    load_plugin((program.parent_path() / "conformance_functions.so").string(), loaded);
    return loaded;
  }();
  return catalogue;
}

Node as_node(const Argument& value);

Node as_node(const Argument::Section& section) {
  Object object;
  for (const auto& [key, value] : section) object.set(key, as_node(value));
  return Node(std::move(object));
}

Node as_node(const Product& product) {
  Object object;
  if (const auto* recorded = product.get<Recorded>()) {
    object.set(recorded->marker, Node(recorded->name));
    object.set("args", as_node(recorded->arguments));
  } else if (const auto* series = product.get<Series>()) {
    List first;
    for (int i = 0; i < 4; ++i) first.emplace_back(series->start + i * series->step);
    object.set("$generator", Node(std::move(first)));
  }
  return Node(std::move(object));
}

Node as_node(const Argument& value) {
  if (value.is_data()) return value.data();
  if (value.is_product()) return as_node(value.product());
  if (value.is_section()) return as_node(value.section());
  List list;
  for (const Argument& item : value.list()) list.push_back(as_node(item));
  return Node(std::move(list));
}

// True if all errors say that the result of a function does not suit the parameter it is passed to:
// the reference does not look.
bool only_refused_results(const Config& config, const Problems& problems) {
  for (const Problem& problem : problems) {
    if (problem.severity != Severity::error) continue;
    const Node* node = config.find(problem.path);
    if (problem.reason != Reason::type || node == nullptr || !is_block(*node)) return false;
  }
  return true;
}

Outcome resolve_config(const Case& record) {
  Outcome outcome;
  Config config = read_case(record, "config", true, outcome.problems);
  if (has_errors(outcome.problems)) return outcome;
  if (record.has("resolve_overrides")) {
    Overrides overrides;
    for (const auto& [name, value] : record.record().at("resolve_overrides").items()) {
      overrides.emplace_back(name, to_node(value));
    }
    override_existing(config, overrides, outcome.problems);
  }
  if (has_errors(outcome.problems)) return outcome;
  if (const auto resolved = resolve(config, functions_of(record), Schemas(), outcome.problems)) {
    outcome.tree = as_node(*resolved);
  } else {
    outcome.refused_results = only_refused_results(config, outcome.problems);
  }
  return outcome;
}

Outcome fill_config(const Case& record) {
  Outcome outcome;
  const bool expanded = record.flag("interpolate", true);
  const Config config = read_case(record, "config", expanded, outcome.problems);
  if (has_errors(outcome.problems)) return outcome;
  FillOptions options;
  options.validate = record.flag("fill_validate", true);
  options.keep_variables = !expanded;
  Config filled = fill(config, functions_of(record), Schemas(), outcome.problems, options);
  if (has_errors(outcome.problems)) return outcome;
  if (!expanded && record.flag("fill_interpolate", false)) {
    filled = interpolate(filled, outcome.problems);
  }
  outcome.tree = Node(filled.root());
  outcome.text = write_cfg(filled, outcome.problems);
  return outcome;
}

const Operations kOperations{{"resolve", resolve_config}, {"fill", fill_config}};

}  // namespace
}  // namespace weft::conformance
