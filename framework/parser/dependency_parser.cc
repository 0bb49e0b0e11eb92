#include "framework/parser/dependency_parser.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "framework/parser/arc_labels.h"
#include "framework/parser/arc_parses.h"
#include "framework/parser/dependency_annotation.h"
#include "framework/parser/parser_network.h"
#include "framework/text/merge_tokens.h"
#include "framework/text/vocab.h"

namespace weft {

using transition::ArcGold;
using transition::ArcState;

// Of one shard. The gold of a document serves all its pieces; whole documents come first.
class DependencyParser::Parses final : public ShardParses {
 public:
  Parses(const DependencyParser& of, std::span<Example* const> examples,
         std::span<const Doc* const> docs, int max_moves)
      : marks_(sentence_marks(docs)), input_{of.actions_, {}, {marks_.data()}} {
    const std::vector<ArcState> starts = first_arc_states(docs);
    ArcTraining pieces;
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (!of.has_gold(*examples[i])) continue;
      gold_.push_back(std::make_unique<ArcGold>(
          arc_gold(*examples[i], aligned_parse(*examples[i]), of.table_)));
      const ArcGold* gold = gold_.back().get();
      const bool is_cut = max_moves > 0 && starts[i].length() >= max_moves;
      add(is_cut ? pieces : training_, gold,
          arc_training_states(*examples[i], starts[i], {input_.actions, input_.marks, gold},
                              max_moves));
    }
    std::move(pieces.states.begin(), pieces.states.end(), std::back_inserter(training_.states));
    training_.gold.insert(training_.gold.end(), pieces.gold.begin(), pieces.gold.end());
  }

  std::size_t count() const override { return training_.states.size(); }
  TrainingBatch training(const Context& ctx, int max_rounds) const override {
    return arc_training(ctx, input_, training_, max_rounds);
  }
  BeamBatch beam_training(const BeamSettings& settings) const override {
    return arc_beam_training(input_, training_, settings);
  }
  const std::vector<ArcState>& states() const { return training_.states; }

 private:
  static void add(ArcTraining& to, const ArcGold* gold, std::vector<ArcState> states) {
    to.gold.insert(to.gold.end(), states.size(), gold);
    std::move(states.begin(), states.end(), std::back_inserter(to.states));
  }

  std::vector<std::int8_t> marks_;
  ArcInput input_;
  std::vector<std::unique_ptr<ArcGold>> gold_;
  ArcTraining training_;
};

DependencyParser::DependencyParser(DependencyParserSettings settings)
    : TransitionComponent(std::move(settings.model), settings.update_with_oracle_cut_size,
                          settings.beam, std::move(settings.scorer)),
      min_action_freq_(settings.min_action_freq),
      learn_tokens_(settings.learn_tokens) {
  require_parser_network(model());
}

void DependencyParser::take_table(ArcTable table) {
  table_ = std::move(table);
  actions_ = table_.actions(vocab().strings());
}

std::vector<BeamAnalyses> DependencyParser::beams(Context& ctx,
                                                  std::span<const Doc* const> docs) const {
  const std::vector<ArcState> states = first_arc_states(docs);
  const std::vector<std::int8_t> marks = sentence_marks(docs);
  const ScoredTokens tokens =
      scored_tokens(ctx, model(), token_vectors(ctx, docs), Scoring::step_by_step);
  return arc_beams(ctx, tokens.scorer, {actions_, {}, {marks.data()}}, states, beam());
}

// Parses greedily, then repeats the moves of each document to see the states that it went through:
// the features of every state, and the number of its step.
StateVisits DependencyParser::visited_states(Context& ctx, const StateScorer& scorer,
                                             std::span<const Doc* const> docs) const {
  const std::vector<ArcState> states = first_arc_states(docs);
  const std::vector<std::int8_t> marks = sentence_marks(docs);
  const ClassSequences taken = arc_parses({actions_, {}, {marks.data()}}, states)(ctx, scorer);
  StateVisits visits;
  const auto count = static_cast<std::size_t>(scorer.shape.features);
  for (std::size_t i = 0; i < states.size(); ++i) {
    ArcState state = states[i];
    int round = 0;
    for (const std::int32_t number : taken[i]) {
      const std::size_t begin = visits.features.size();
      visits.features.resize(begin + count);
      transition::ArcSystem::features(state, scorer.shape.features, visits.features.data() + begin);
      visits.rounds.push_back(round++);
      transition::apply(state, actions_[static_cast<std::size_t>(number)]);
    }
  }
  return visits;
}

ClassSequences DependencyParser::parse(Context& ctx, std::span<const Doc* const> docs) const {
  if (beam().searches()) {
    ClassSequences taken;
    for (BeamAnalyses& analyses : beams(ctx, docs)) {
      taken.push_back(std::move(analyses.front().classes));
    }
    return taken;
  }
  const std::vector<ArcState> states = first_arc_states(docs);
  const std::vector<std::int8_t> marks = sentence_marks(docs);
  return parse_greedily(ctx, model(), token_vectors(ctx, docs),
                        arc_parses({actions_, {}, {marks.data()}}, states));
}

// A document's moves say its tree; labels and sentence starts follow from that. Parts of words are
// merged last, as merging changes the numbers of tokens.
void DependencyParser::predict(Context& ctx, std::span<Doc* const> docs, Slots&) const {
  const std::vector<const Doc*> inputs(docs.begin(), docs.end());
  const auto is_empty = [](const Doc* doc) { return doc->empty(); };
  if (std::all_of(inputs.begin(), inputs.end(), is_empty)) return;
  const ClassSequences taken = parse(ctx, inputs);
  for (std::size_t i = 0; i < docs.size(); ++i) {
    if (docs[i]->empty()) continue;
    set_parse(*docs[i], tree_of(*docs[i], taken[i], actions_));
    if (learn_tokens_) merge_labelled(*docs[i], string_id(kSubtokenLabel));
  }
}

bool DependencyParser::has_gold(const Example& example) const {
  return example.size() > 0 && has_dependency_gold(example);
}

DependencyParser::ShardParsesPtr DependencyParser::shard_parses(std::span<Example* const> examples,
                                                                std::span<const Doc* const> docs,
                                                                int max_moves) const {
  return std::make_shared<Parses>(*this, examples, docs, max_moves);
}

std::vector<ParseTrace<ArcState>> DependencyParser::traces() const {
  std::vector<ParseTrace<ArcState>> traces;
  for (const ShardTrace& shard : shard_traces()) {
    const auto* parses = static_cast<const Parses*>(shard.parses.get());
    traces.push_back(
        {parses != nullptr ? parses->states() : std::vector<ArcState>(), shard.classes});
  }
  return traces;
}

const AnnotationKind* DependencyParser::annotation() const {
  return &dependency_annotation();
}

}  // namespace weft
