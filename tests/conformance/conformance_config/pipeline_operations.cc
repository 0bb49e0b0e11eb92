// The operations that need spaCy's own functions and schemas: those that are built in. Records that
// name others are skipped, and so are those that miss keys which have a default here.
#include <algorithm>

#include "components/builtin.h"
#include "framework/pipeline/load_config.h"
#include "framework/pipeline/pipeline_settings.h"
#include "registry/filling/fill.h"
#include "registry/writing/cfg_writer.h"
#include "tests/conformance/conformance_config/operations.h"
#include "tests/conformance/conformance_config/read_case.h"

namespace weft::conformance {
namespace {

const Catalogue& builtin() {
  static const Catalogue catalogue = [] {
    Catalogue made;
    add_builtin(made);
    return made;
  }();
  return catalogue;
}

// True if the record expects something and only names are missing here.
bool lacks_functions(const Case& record, const Problems& problems) {
  const Json& expected = record.record().at("expected");
  const bool wanted =
      expected.contains("error") && expected["error"].value("kind", "") == "unknown_function";
  return !wanted && std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.kind == ProblemKind::unknown_function;
  });
}

// True if the record expects nothing but missing keys that have a default here: the reference keeps
// its defaults in a config of its own, so its schemas ask for every key.
bool misses_defaults_only(const Case& record) {
  const Json& expected = record.record().at("expected");
  if (!expected.contains("error") || !expected["error"].contains("errors")) return false;
  const SectionSchema* schema = pipeline_schemas().find(record.text("schema"));
  if (schema == nullptr) return false;
  const Json& errors = expected["error"]["errors"];
  return std::all_of(errors.begin(), errors.end(), [&](const Json& error) {
    const FunctionParameter* parameter = schema->signature.find(error["path"].get<std::string>());
    return error.value("type", "") == "missing" && parameter != nullptr && !parameter->required();
  });
}

// One section alone against its schema.
Outcome check_schema(const Case& record) {
  Outcome outcome;
  const Config config = read_case(record, "config", true, outcome.problems);
  if (has_errors(outcome.problems)) return outcome;
  const FillOptions options{.report_unknown = true};
  fill(config, builtin(), pipeline_schemas(), outcome.problems, options);
  outcome.skipped = lacks_functions(record, outcome.problems) || misses_defaults_only(record);
  return outcome;
}

Outcome fill_whole(const Case& record) {
  Outcome outcome;
  const Config config = read_case(record, "config", false, outcome.problems);
  if (has_errors(outcome.problems)) return outcome;
  Config filled = fill_pipeline_config(config, builtin(), outcome.problems);
  // Sections of weft's own that filling adds; the reference has none of those names.
  for (const char* own : {"precision", "checkpoints"}) {
    filled.find("training")->as_object().erase(own);
  }
  outcome.tree = Node(filled.root());
  outcome.text = write_cfg(filled, outcome.problems);
  outcome.skipped = lacks_functions(record, outcome.problems);
  return outcome;
}

const Operations kOperations{{"schema", check_schema}, {"spacy_fill", fill_whole}};

}  // namespace
}  // namespace weft::conformance
