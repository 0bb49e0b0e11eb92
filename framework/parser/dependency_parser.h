// The dependency parser: an arc-eager transition system over token vectors, which gives every token
// a head and a label and so cuts a text into sentences (docs/parsing.md; spaCy 3.8,
// DependencyParser).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "framework/nn/model.h"
#include "framework/parser/arc_gold.h"
#include "framework/parser/arc_table.h"
#include "framework/parser/beam_search.h"
#include "framework/parser/transition_component.h"
#include "framework/pipeline/scores.h"
#include "registry/base/export.h"

namespace weft {

struct DependencyParserSettings {
  ModelPtr model;  // refs "tok2vec", "lower" and "upper"
  // Documents of this many tokens and more are trained in pieces of between half and twice as many
  // moves; 0: never cut.
  int update_with_oracle_cut_size = 100;
  // Moves that the training data shows less often than this are no classes.
  int min_action_freq = 30;
  BeamSettings beam;
  Scorer scorer;
  // Tokens that the data labels "subtok" are parts of the word that ends behind them; documents get
  // such words as single tokens.
  bool learn_tokens = false;
};

class WEFT_API DependencyParser final : public TransitionComponent {
 public:
  explicit DependencyParser(DependencyParserSettings settings);

  // Labels from [initialize.components.NAME.labels] (the table of `label_data`) or from all
  // training data. Throws Error(data) where no token of it has a dependency label, and where too
  // few of its arcs go to either side for the moves that every parse needs.
  void initialize(InitContext& init) override;
  Signature init_settings() const override;
  void predict(Context& ctx, std::span<Doc* const> docs, Slots& slots) const override;
  // The analyses that a search with the component's beam ends with, for each document.
  std::vector<BeamAnalyses> beams(Context& ctx, std::span<const Doc* const> docs) const;

  std::vector<std::string> labels() const override { return table_.labels(); }
  Node label_data() const override;
  const AnnotationKind* annotation() const override;

  const ArcTable& arc_table() const { return table_; }
  // See keep_traces.
  std::vector<ParseTrace<transition::ArcState>> traces() const;

 protected:
  bool has_gold(const Example& example) const override;
  ShardParsesPtr shard_parses(std::span<Example* const> examples, std::span<const Doc* const> docs,
                              int max_moves) const override;
  StateVisits visited_states(Context& ctx, const StateScorer& scorer,
                             std::span<const Doc* const> docs) const override;
  int class_count() const override { return table_.size(); }
  ParserCfg cfg() const override {
    return {.min_action_freq = min_action_freq_, .learn_tokens = learn_tokens_};
  }
  void take_cfg(const ParserCfg& cfg, const std::string& file) override;
  std::string moves() const override { return table_.to_bytes(); }
  void take_moves(std::string_view bytes, const std::string& file) override;

 private:
  class Parses;
  void take_table(ArcTable table);
  // The classes that each document's parse took.
  ClassSequences parse(Context& ctx, std::span<const Doc* const> docs) const;

  int min_action_freq_;
  bool learn_tokens_;
  ArcTable table_;
  std::vector<transition::ArcAction> actions_;  // table_ with string ids
};

}  // namespace weft
