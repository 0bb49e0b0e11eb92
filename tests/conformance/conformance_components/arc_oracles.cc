// Records of the arc-eager system: gold parses, oracle sequences, and states with their features
// and the cost of every class. The first line has the classes.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "framework/ops/arc_system.h"
#include "framework/parser/arc_gold.h"
#include "framework/parser/arc_parses.h"
#include "framework/text/vocab.h"
#include "tests/conformance/conformance_components/records.h"
#include "tests/conformance/conformance_components/trees.h"

namespace weft::conformance {
namespace {

using transition::ArcAction;
using transition::ArcState;
using transition::ArcSystem;

struct Moves {
  ArcTable table;
  std::vector<ArcAction> actions;
};

// Heads and labels with null for what is not known.
std::pair<Json, Json> as_recorded(const AlignedParse& parse) {
  Json heads = Json::array(), labels = Json::array();
  for (std::size_t i = 0; i < parse.heads.size(); ++i) {
    heads.push_back(parse.heads[i] >= 0 ? Json(parse.heads[i]) : Json());
    labels.push_back(parse.labels[i] ? Json(*parse.labels[i]) : Json());
  }
  return {heads, labels};
}

Json starts_as_recorded(const AlignedParse& parse) {
  Json starts = Json::array();
  for (const std::int8_t start : parse.starts)
    starts.push_back(start < 0 ? Json() : Json(start == 1));
  return starts;
}

std::vector<int> oracle_classes(const ArcState& start, const ArcOracle& oracle) {
  std::vector<float> costs(oracle.actions.size());
  std::vector<int> classes;
  ArcState state = start;
  while (!state.is_final()) {
    const int best = oracle_class(state, oracle, costs);
    if (best < 0) break;
    classes.push_back(best);
    ArcSystem::apply(state, oracle.actions[static_cast<std::size_t>(best)]);
    state.trim();
  }
  return classes;
}

Json costs_by_name(const ArcState& state, const ArcOracle& oracle, const ArcTable& table) {
  std::vector<float> costs(oracle.actions.size());
  ArcSystem::fill_costs(state, oracle.actions.data(), table.size(),
                        ArcSystem::valid(state, oracle.marks), oracle.gold, costs.data());
  Json named = Json::object();
  for (int k = 0; k < table.size(); ++k) {
    const float cost = costs[static_cast<std::size_t>(k)];
    if (cost != transition::kInvalidCost) named[table.name(k)] = static_cast<int>(cost);
  }
  return named;
}

std::vector<int> features_of(const ArcState& state, int count) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(count));
  ArcSystem::features(state, count, rows.data());
  return {rows.begin(), rows.end()};
}

void check_state(const Json& wanted, const ArcOracle& oracle, const Moves& moves, int length,
                 const std::string& id, Checks& checks) {
  ArcState state(0, length);
  for (const int taken : wanted.at("actions").get<std::vector<int>>()) {
    ArcSystem::apply(state, moves.actions.at(static_cast<std::size_t>(taken)));
  }
  state.trim();
  checks.equal(id, "stack", state.stack_tokens(), wanted.at("stack"));
  Json buffer = Json::array();
  for (std::size_t b = 0; state.buffer(b) >= 0; ++b) buffer.push_back(state.buffer(b));
  checks.equal(id, "buffer", buffer, wanted.at("buffer"));
  checks.equal(id, "features8", features_of(state, 8), wanted.at("features8"));
  checks.equal(id, "features13", features_of(state, 13), wanted.at("features13"));
  checks.equal(id, "costs", costs_by_name(state, oracle, moves.table), wanted.at("costs"));
}

void check_record(const Json& record, const Moves& moves, const VocabPtr& vocab, Checks& checks) {
  const auto id = record.at("id").get<std::string>();
  Doc predicted = words_of(record, vocab);
  std::vector<std::int8_t> marks(static_cast<std::size_t>(predicted.size()), 0);
  if (record.contains("sent_start")) {
    marks = record.at("sent_start").get<std::vector<std::int8_t>>();
  }
  predicted.set_sent_starts(marks);
  const Example example(std::move(predicted), document_of(record.at("reference"), vocab));
  const AlignedParse parse = aligned_parse(example);
  const auto [heads, labels] = as_recorded(parse);
  const Json& wanted = record.at("expect");
  checks.equal(id, "heads", heads, wanted.at("heads"));
  checks.equal(id, "deps", labels, wanted.at("deps"));
  checks.equal(id, "gold_starts", starts_as_recorded(parse), wanted.at("gold_starts"));
  const transition::ArcGold gold = arc_gold(example, parse, moves.table);
  const ArcOracle oracle{moves.actions, {marks.data()}, &gold};
  const int length = example.predicted().size();
  checks.equal(id, "oracle", oracle_classes(ArcState(0, length), oracle), wanted.at("oracle"));
  for (const Json& state : wanted.at("states")) {
    check_state(state, oracle, moves, length, id, checks);
  }
}

}  // namespace

void replay_arc_oracles(const std::filesystem::path& file, const Catalogue&, Checks& checks) {
  const auto vocab = std::make_shared<Vocab>("en");
  std::optional<Moves> moves;
  for_each_line(file, [&](int, const Json& record) {
    if (record.contains("labels")) {
      moves.emplace();
      moves->table = ArcTable::from_json(record.at("labels").dump(), file.string());
      moves->actions = moves->table.actions(vocab->strings());
      Json classes = Json::array();
      for (int k = 0; k < moves->table.size(); ++k) classes.push_back(moves->table.name(k));
      checks.equal(record.at("id"), "classes", classes, record.at("classes"));
    } else {
      check_record(record, moves.value(), vocab, checks);
    }
  });
}

}  // namespace weft::conformance
