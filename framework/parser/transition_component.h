// The part that components which parse by transitions share: pieces of a batch, the update around
// the scoring network, and the files. States, moves and their gold annotation are the component's
// (docs/ner-model.md 3.4; docs/parsing.md; spaCy 3.8, Parser).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/nn/model.h"
#include "framework/parser/beam_gradient.h"
#include "framework/parser/beam_settings.h"
#include "framework/parser/parse_batch.h"
#include "framework/parser/parser_cfg.h"
#include "framework/parser/parser_network.h"
#include "framework/pipeline/component.h"
#include "framework/pipeline/pretrained_layer.h"
#include "framework/pipeline/rehearsing.h"
#include "framework/pipeline/scores.h"
#include "registry/base/export.h"

namespace weft {

// Where the parses of one shard started, and the classes that each took; for comparison with
// records.
template <class State>
struct ParseTrace {
  std::vector<State> states;
  std::vector<std::vector<std::int32_t>> classes;
};

// The same of an update with beams.
struct BeamTrace {
  std::vector<int> states_per_step;
  std::vector<std::vector<LearntAnalysis>> learnt;  // of each document that takes part
  int steps_with_gradient = 0;
};

class WEFT_API TransitionComponent : public Component, public ProjectsVectors, public Rehearsing {
 public:
  void begin_batch(Batch& batch) override;
  void update(ShardUpdate& shard) const override;
  void end_batch(Batch& batch) override;
  std::string pack_kept(const std::any& kept) const override;
  std::any unpack_kept(std::string_view bytes) const override;
  void rehearse(ShardUpdate& shard, const TutorPass& tutor) const override;

  ScoreSessionPtr start_scores() const override;

  // `cfg`, `moves` and `model`. Throws Error(data) naming the file that is wrong.
  bool has_state() const override { return true; }
  void to_disk(const std::filesystem::path& folder) const override;
  void from_disk(const std::filesystem::path& folder) override;

  std::vector<ModelPtr> models() const override { return {model_}; }
  ModelPtr projected_network(const Model& layer) const override;
  bool scales_gradients() const override { return true; }

  // Documents of this many tokens and more are trained in pieces of between half and twice as many
  // moves; 0: never cut.
  void set_cut_size(int tokens) { cut_size_ = tokens; }
  // From now on the traces of the last batch are kept, one for each shard. Of the CPU alone.
  void keep_traces(bool keep) { keep_traces_ = keep; }
  // Of the shards that were updated with beams.
  std::vector<BeamTrace> beam_traces() const;

  // Above width 1 the component runs on the CPU alone: the op that scores the states of beams has
  // no kernel elsewhere.
  const BeamSettings& beam() const { return beam_; }

 protected:
  // The parses of one shard and the gold annotation that they are judged by.
  class ShardParses {
   public:
    virtual ~ShardParses() = default;
    virtual std::size_t count() const = 0;
    // This outlives the batch. `max_rounds`: 0 is no limit.
    virtual TrainingBatch training(const Context& ctx, int max_rounds) const = 0;
    // The same for an update with beams. The parses are whole documents.
    virtual BeamBatch beam_training(const BeamSettings& settings) const = 0;
  };
  using ShardParsesPtr = std::shared_ptr<const ShardParses>;
  struct ShardTrace {
    ShardParsesPtr parses;  // null: none
    std::vector<std::vector<std::int32_t>> classes;
    BeamTrace beam;
  };

  // `model`: refs "tok2vec", "lower" and "upper".
  TransitionComponent(ModelPtr model, int cut_size, const BeamSettings& beam, Scorer scorer)
      : model_(std::move(model)), cut_size_(cut_size), beam_(beam), scorer_(std::move(scorer)) {}

  // Whether the example is learnt from.
  virtual bool has_gold(const Example& example) const = 0;
  // `docs` are the predicted documents of the shard's examples. `max_moves`: about how long pieces
  // of documents are; 0: documents are parsed whole.
  virtual ShardParsesPtr shard_parses(std::span<Example* const> examples,
                                      std::span<const Doc* const> docs, int max_moves) const = 0;
  virtual int class_count() const = 0;
  // The states that a greedy parse of the documents goes through.
  virtual StateVisits visited_states(Context& ctx, const StateScorer& scorer,
                                     std::span<const Doc* const> docs) const = 0;

  // The settings that `cfg` keeps beside the length of pieces and the beam, and the file of the
  // classes.
  virtual ParserCfg cfg() const = 0;
  virtual void take_cfg(const ParserCfg& cfg, const std::string& file) = 0;
  virtual std::string moves() const = 0;
  virtual void take_moves(std::string_view bytes, const std::string& file) = 0;

  Model& model() const { return *model_; }
  // (tokens, width): the output of the model's ref "tok2vec" for the documents. With `backward`:
  // also its backward pass.
  Tensor token_vectors(Context& ctx, std::span<const Doc* const> docs,
                       Backward* backward = nullptr) const;
  // Sizes and fresh parameters, once the classes are known.
  void initialize_model(InitContext& init) const;
  const std::vector<ShardTrace>& shard_traces() const { return traces_; }

 private:
  // Decided once for a batch.
  struct BatchState {
    int max_moves = 0;              // 0: no cutting
    std::size_t gold = 0;           // examples with annotation
    bool beam = false;              // the update is one with beams
    const Example* last = nullptr;  // holds the last token of the batch
  };
  struct ShardResult;
  int draw_piece_length(const Batch& batch) const;
  ParserCfg whole_cfg() const;
  bool draw_beam(const Batch& batch) const;
  void train(ShardUpdate& shard, bool holds_last) const;
  Tensor train_parses_of(ShardUpdate& shard, const ShardParsesPtr& parses, const Tensor& vectors,
                         ShardResult& result) const;
  Tensor train_beams_of(ShardUpdate& shard, const ShardParsesPtr& parses, const Tensor& vectors,
                        ShardResult& result) const;

  ModelPtr model_;
  int cut_size_;
  BeamSettings beam_;
  Scorer scorer_;
  BatchState batch_state_;
  bool keep_traces_ = false;
  std::vector<ShardTrace> traces_;
};

}  // namespace weft
