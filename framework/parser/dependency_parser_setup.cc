// Labels, shapes and the saved state of the dependency parser.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "framework/ops/arc_system.h"
#include "framework/ops/transition_steps.h"
#include "framework/parser/dependency_parser.h"
#include "framework/parser/label_count.h"
#include "framework/pipeline/label_settings.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {

namespace {

// A parse takes every token from the buffer by SHIFT and gives it up by REDUCE. They are counted as
// the arcs to the left and to the right, and so can be too rare to be classes.
void check_moves(const ArcTable& table, std::int64_t least, const std::string& component) {
  const auto has = [&](transition::ArcMove move) {
    const auto number = static_cast<std::size_t>(move);
    return std::any_of(table.classes().begin(), table.classes().end(),
                       [&](const MoveClass& one) { return one.move == number; });
  };
  using transition::ArcMove;
  for (const auto& [move, side] :
       {std::pair(ArcMove::shift, "left"), std::pair(ArcMove::reduce, "right")}) {
    if (has(move)) continue;
    throw Error(ErrorKind::data,
                fmt::format("component '{0}': fewer than {1} arcs of the training data go to the "
                            "{2}, and none is learnt; set components.{0}.min_action_freq, which is "
                            "{1}, to 1, or use more data",
                            component, least, side));
  }
}

// Labels as the config gives them: what `label_data` gives.
ArcTable table_of(const Node& labels, const std::string& source) {
  LabelCount(source).add_all(labels);
  ArcTable table = ArcTable::from_json(to_json(labels), source);
  if (table.classes().empty()) throw Error(ErrorKind::data, source + ": no label given");
  return table;
}

ArcTable count_moves(ExampleStream& examples, std::int64_t least, bool subtokens,
                     const std::string& component) {
  ArcCounts counts;
  bool has_labels = false;
  while (const ExamplePtr example = examples.next()) {
    has_labels = has_labels || has_dependency_gold(*example);
    counts.add(learnt_tree(*example));
  }
  if (!has_labels) {
    throw Error(ErrorKind::data, "component '" + component +
                                     "': no token of the training data has a head with a label; "
                                     "use data with dependencies, or leave the component out");
  }
  ArcTable table = counts.table(least, subtokens);
  check_moves(table, least, component);
  return table;
}

}  // namespace

void DependencyParser::initialize(InitContext& init) {
  const Node* labels = init.given("labels");
  take_table(labels != nullptr
                 ? table_of(*labels, "[initialize.components." + name() + ".labels]")
                 : count_moves(*init.examples(), min_action_freq_, learn_tokens_, name()));
  init.ctx.require<TransitionParseOf<transition::ArcSystem>>();
  init.ctx.require<TransitionTrainOf<transition::ArcSystem>>();
  initialize_model(init);
}

Signature DependencyParser::init_settings() const {
  return signature_of<LabelTable>();
}

Node DependencyParser::label_data() const {
  return *parse_json(table_.to_json());
}

void DependencyParser::take_cfg(const ParserCfg& cfg, const std::string&) {
  min_action_freq_ = cfg.min_action_freq;
  learn_tokens_ = cfg.learn_tokens;
}

void DependencyParser::take_moves(std::string_view bytes, const std::string& file) {
  take_table(ArcTable::from_bytes(bytes, file));
}

}  // namespace weft
