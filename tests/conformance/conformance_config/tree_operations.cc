// The operations that need no functions: reading, expanding, writing, overrides, merging.
#include "registry/value/merge.h"
#include "registry/variables/interpolate.h"
#include "registry/writing/cfg_writer.h"
#include "tests/conformance/conformance_config/operations.h"
#include "tests/conformance/conformance_config/read_case.h"

namespace weft::conformance {
namespace {

// The records hold no comments, since the reference drops them.
WriteOptions plain_text(const Case& record) {
  WriteOptions options;
  options.comments = false;
  options.check_variables = record.flag("dump_interpolate", true);
  return options;
}

Outcome load(const Case& record) {
  Outcome outcome;
  const bool interpolate = record.flag("interpolate", true);
  outcome.tree = Node(read_case(record, "config", interpolate, outcome.problems).root());
  return outcome;
}

Outcome expand(const Case& record) {
  Outcome outcome;
  const Config kept = read_case(record, "config", false, outcome.problems);
  if (!has_errors(outcome.problems)) {
    outcome.tree = Node(interpolate(kept, outcome.problems).root());
  }
  return outcome;
}

Outcome dump(const Case& record) {
  Outcome outcome;
  const bool interpolate = record.flag("interpolate", true);
  const Config config = read_case(record, "config", interpolate, outcome.problems);
  if (!has_errors(outcome.problems)) {
    outcome.text = write_cfg(config, outcome.problems, plain_text(record));
  }
  return outcome;
}

Outcome dump_tree(const Case& record) {
  Outcome outcome;
  Node tree = to_node(record.record().at("input_tree"));
  mark_variables(tree);
  outcome.text = write_cfg(Config(tree.as_object()), outcome.problems, plain_text(record));
  return outcome;
}

Outcome parse_words(const Case& record) {
  Outcome outcome;
  outcome.overrides = overrides_of(record, outcome.problems);
  return outcome;
}

Outcome merge_configs(const Case& record) {
  Outcome outcome;
  const bool interpolate = record.flag("interpolate", true);
  const Config defaults = read_case(record, "config", interpolate, outcome.problems);
  const Config updates = read_case(record, "updates", interpolate, outcome.problems);
  if (has_errors(outcome.problems)) return outcome;
  const Config merged = merge(defaults, updates, record.flag("remove_extra", false));
  outcome.tree = Node(merged.root());
  outcome.text = write_cfg(merged, outcome.problems, plain_text(record));
  return outcome;
}

const Operations kOperations{
    {"load", load},           {"interpolate", expand},    {"dump", dump},
    {"dump_tree", dump_tree}, {"overrides", parse_words}, {"merge", merge_configs}};

}  // namespace
}  // namespace weft::conformance
