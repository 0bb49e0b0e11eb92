#include "framework/parser/entity_recognizer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "framework/parser/entity_parses.h"
#include "framework/parser/ner_gold.h"
#include "framework/parser/token_marks.h"
#include "framework/parser/training_parses.h"
#include "framework/text/vocab.h"

namespace weft {

using transition::State;

// Of one shard. Kept together, since the parses point to the marks of its tokens.
class EntityRecognizer::Parses final : public ShardParses {
 public:
  Parses(const EntityRecognizer& of, std::span<Example* const> examples,
         std::span<const Doc* const> docs, int max_moves)
      : of_(of),
        marks_(docs),
        parses_(training_parses(examples, docs, marks_, of.actions_, of.negative_key_, max_moves)) {
  }

  std::size_t count() const override { return parses_.states.size(); }
  TrainingBatch training(const Context& ctx, int max_rounds) const override {
    return entity_training(ctx, {of_.actions_, of_.unseen_, marks_.view()}, parses_, max_rounds);
  }
  BeamBatch beam_training(const BeamSettings& settings) const override {
    return entity_beam_training({of_.actions_, of_.unseen_, marks_.view()}, parses_, settings);
  }
  const std::vector<State>& states() const { return parses_.states; }

 private:
  const EntityRecognizer& of_;
  TokenMarks marks_;
  TrainingParses parses_;
};

EntityRecognizer::EntityRecognizer(EntityRecognizerSettings settings)
    : TransitionComponent(std::move(settings.model), settings.update_with_oracle_cut_size,
                          settings.beam, std::move(settings.scorer)),
      negative_key_(std::move(settings.incorrect_spans_key)) {
  require_parser_network(model());
  table_.set_negative_key(negative_key_);
}

void EntityRecognizer::take_table(ActionTable table) {
  table_ = std::move(table);
  actions_.clear();
  for (const ActionTable::Class& one : table_.classes()) {
    actions_.push_back({one.move, one.label.empty() ? 0 : vocab().strings().add(one.label)});
  }
  unseen_.clear();
}

void EntityRecognizer::begin_batch(Batch& batch) {
  calibration_.reset();
  add_labels_of(batch);
  TransitionComponent::begin_batch(batch);
}

bool EntityRecognizer::has_gold(const Example& example) const {
  return has_entity_gold(example, negative_key_);
}

EntityRecognizer::ShardParsesPtr EntityRecognizer::shard_parses(std::span<Example* const> examples,
                                                                std::span<const Doc* const> docs,
                                                                int max_moves) const {
  return std::make_shared<Parses>(*this, examples, docs, max_moves);
}

std::vector<ParseTrace<State>> EntityRecognizer::traces() const {
  std::vector<ParseTrace<State>> traces;
  for (const ShardTrace& shard : shard_traces()) {
    const auto* parses = static_cast<const Parses*>(shard.parses.get());
    traces.push_back({parses != nullptr ? parses->states() : std::vector<State>(), shard.classes});
  }
  return traces;
}

}  // namespace weft
