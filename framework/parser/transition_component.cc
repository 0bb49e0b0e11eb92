#include "framework/parser/transition_component.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "framework/comm/message.h"
#include "framework/io/atomic_file.h"
#include "framework/io/mapped_file.h"
#include "framework/nn/model_file.h"
#include "framework/ops/rank_one_gemm.h"
#include "framework/ops/state_scores.h"
#include "framework/parser/parser_network.h"
#include "framework/parser/parser_resize.h"
#include "framework/parser/token_projection.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/pipeline/shape_sample.h"
#include "framework/text/example.h"
#include "framework/text/predicted_docs.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// In the reference a missing feature meets the vector of the batch's last token, which one shard
// knows, while every shard has its own gradient of the pad that stands for missing features. In
// memory that outlives the step.
struct MissingFeatures {
  Tensor d_pad;        // gradient of the lower layer's pad; empty: no parse
  Tensor last_vector;  // of the batch's last token, in the shard that holds it
};

// f32, in memory that outlives the step.
Tensor lasting_copy(Context& ctx, const Tensor& tensor) {
  Tensor copy(ctx.stream(), tensor.shape(), DType::f32);
  ctx.cast(tensor, copy.view());
  return copy;
}

// The last example that has a token; null where none has. spaCy reads a missing feature as index
// -1, which is the last row of the batch's vectors: the gradient of the lower layer's weights so
// pairs the pad's gradient with that row.
const Example* last_with_token(std::span<Example* const> examples) {
  const auto found = std::find_if(examples.rbegin(), examples.rend(),
                                  [](const Example* example) { return example->size() > 0; });
  return found == examples.rend() ? nullptr : *found;
}

// Adds the share of missing features to the gradient of the lower layer: a matrix of rank one for
// each shard, its gradient of the pad times the vector of the last token. Shards are added in their
// order, so that threads and ranks change nothing.
void add_missing_features(const Batch& batch, const Model& parser,
                          std::span<const MissingFeatures* const> shards) {
  const auto last = std::find_if(shards.begin(), shards.end(), [](const MissingFeatures* shard) {
    return static_cast<bool>(shard->last_vector);
  });
  if (last == shards.end()) return;
  const Parameter& weight = parser.ref("lower").param("W");
  for (const MissingFeatures* shard : shards) {
    if (!shard->d_pad) continue;
    add_rank_one(*batch.ctx, shard->d_pad, (*last)->last_vector, batch.gradients->of(weight));
  }
}

// The classes that each parse took, in the order of its rounds.
std::vector<std::vector<std::int32_t>> classes_of(const TransitionRecord& record,
                                                  std::size_t parses) {
  std::vector<std::vector<std::int32_t>> classes(parses);
  for (int r = 0; r < record.rows; ++r) {
    classes[static_cast<std::size_t>(record.state[r])].push_back(record.classes[r]);
  }
  return classes;
}

BeamTrace trace_of(const BeamGradient& learnt) {
  BeamTrace trace{learnt.states_per_step, learnt.learnt, 0};
  for (const int depth : learnt.depth) {
    trace.steps_with_gradient = std::max(trace.steps_with_gradient, depth + 1);
  }
  return trace;
}

}  // namespace

std::vector<BeamTrace> TransitionComponent::beam_traces() const {
  std::vector<BeamTrace> traces;
  for (const ShardTrace& shard : traces_) traces.push_back(shard.beam);
  return traces;
}

Tensor TransitionComponent::token_vectors(Context& ctx, std::span<const Doc* const> docs,
                                          Backward* backward) const {
  Forward forward = model_->ref("tok2vec")(ctx, docs);
  if (backward != nullptr) *backward = std::move(forward.backward);
  return std::get<Tensor>(std::move(forward.output));
}

ModelPtr TransitionComponent::projected_network(const Model& layer) const {
  const Model& projection = model_->ref("tok2vec");
  if (&layer != &projection) return nullptr;
  return {model_, &TokenProjection(projection).network};  // the whole keeps its parts
}

void TransitionComponent::initialize_model(InitContext& init) const {
  require_scoring_ops(init.ctx);
  if (beam_.searches()) init.ctx.require<ScoreStates>();
  const ShapeSample sample = shape_sample(init.sample, ExampleSide::predicted);
  grow_parser_output(*model_, class_count());
  model_->initialize(init.ctx, DocBatch(sample.docs), {}, init.random);
}

// Drawn once for each batch from the batch's own random numbers: all shards and ranks cut alike.
int TransitionComponent::draw_piece_length(const Batch& batch) const {
  if (cut_size_ < 1) return 0;
  const int least = cut_size_ / 2;  // a whole number in the reference too
  const double drawn = batch.uniform(name() + "/cut", least, cut_size_ * 2.0);
  constexpr int most = std::numeric_limits<int>::max() / 2;  // longer than any document
  return static_cast<int>(std::clamp(drawn, 1.0, double{most}));
}

// Decisions that concern the whole batch are made here, before its shards run side by side.
void TransitionComponent::begin_batch(Batch& batch) {
  batch_state_ = {};
  const auto gold = std::count_if(batch.examples.begin(), batch.examples.end(),
                                  [&](const Example* example) { return has_gold(*example); });
  batch_state_.gold = static_cast<std::size_t>(gold);
  batch_state_.last = last_with_token(batch.examples);
  if (gold == 0) return;
  batch_state_.beam = draw_beam(batch);
  if (!batch_state_.beam) batch_state_.max_moves = draw_piece_length(batch);
}

bool TransitionComponent::draw_beam(const Batch& batch) const {
  return beam_.searches() && batch.uniform(name() + "/beam", 0.0, 1.0) < beam_.update_prob;
}

// Results of a shard, for the end of the batch.
struct TransitionComponent::ShardResult {
  MissingFeatures missing;
  ShardTrace trace;
};

void TransitionComponent::update(ShardUpdate& shard) const {
  if (batch_state_.gold == 0) return;
  const bool holds_last = std::find(shard.examples.begin(), shard.examples.end(),
                                    batch_state_.last) != shard.examples.end();
  const auto is_wanted = [&](const Example* example) { return has_gold(*example); };
  if (holds_last || std::any_of(shard.examples.begin(), shard.examples.end(), is_wanted)) {
    train(shard, holds_last);
  }
}

// A device has the token vectors to compute while the host works out the parses.
void TransitionComponent::train(ShardUpdate& shard, bool holds_last) const {
  const std::vector<const Doc*> docs = predicted_docs(shard.examples);
  Backward backward;
  const Tensor vectors = token_vectors(shard.ctx, docs, &backward);
  const ShardParsesPtr parses = shard_parses(shard.examples, docs, batch_state_.max_moves);
  if (parses->count() == 0 && !holds_last) return;
  ShardResult result;
  if (holds_last) {
    result.missing.last_vector =
        lasting_copy(shard.ctx, vectors.rows(vectors.dim(0) - 1, vectors.dim(0)));
  }
  if (parses->count() > 0) {
    const Tensor d_vectors = batch_state_.beam ? train_beams_of(shard, parses, vectors, result)
                                               : train_parses_of(shard, parses, vectors, result);
    backward(shard.ctx, d_vectors);
  }
  shard.keep = std::move(result);
}

Tensor TransitionComponent::train_parses_of(ShardUpdate& shard, const ShardParsesPtr& parses,
                                            const Tensor& vectors, ShardResult& result) const {
  const int rounds = batch_state_.max_moves > 0 ? batch_state_.max_moves + 1 : 0;
  const ParserGradient gradient =
      train_parses(shard.ctx, *model_, vectors, parses->training(shard.ctx, rounds),
                   name() + "/state", shard.ctx.pass().tokens_before());
  // The loss is read when the device has come to it, so that the host goes on launching meanwhile.
  double& loss = shard.losses[name()];
  shard.ctx.read_later(gradient.loss, [&loss](double sum) { loss += sum; });
  if (keep_traces_ && shard.ctx.uses_host_memory()) {
    result.trace = {parses, classes_of(gradient.record, parses->count()), {}};
  }
  result.missing.d_pad = lasting_copy(shard.ctx, gradient.d_pad);
  return gradient.d_vectors;
}

// The loss is a mean over the states of a step: shards count by their share of the documents.
Tensor TransitionComponent::train_beams_of(ShardUpdate& shard, const ShardParsesPtr& parses,
                                           const Tensor& vectors, ShardResult& result) const {
  const BeamPass pass = train_beams(shard.ctx, *model_, vectors, parses->beam_training(beam_),
                                    name() + "/state", shard.ctx.pass().tokens_before());
  const double share =
      static_cast<double>(parses->count()) / static_cast<double>(batch_state_.gold);
  shard.losses[name()] += pass.learnt.loss * share;
  if (keep_traces_) result.trace = {parses, {}, trace_of(pass.learnt)};
  result.missing.d_pad = lasting_copy(shard.ctx, pass.gradient.d_pad);
  return pass.gradient.d_vectors;
}

void TransitionComponent::rehearse(ShardUpdate& shard, const TutorPass& tutor) const {
  const auto& other = dynamic_cast<const TransitionComponent&>(tutor.component());
  const std::vector<const Doc*> docs = predicted_docs(shard.examples);
  double& loss = shard.losses[name()];
  if (std::all_of(docs.begin(), docs.end(), [](const Doc* doc) { return doc->empty(); })) return;
  Context& ctx = shard.ctx;
  std::optional<ScoredTokens> wanted;
  {
    // The tutor is the component as it was before training (rehearsal): its scores are the goal,
    // and its own gradients go nowhere.
    const TutorPass::Scope scope(ctx, tutor);
    wanted =
        scored_tokens(ctx, other.model(), other.token_vectors(ctx, docs), Scoring::step_by_step);
  }
  Backward backward;
  const Tensor vectors = token_vectors(ctx, docs, &backward);
  const ScoredTokens tokens = scored_tokens(ctx, *model_, vectors, Scoring::step_by_step);
  const StateVisits visits = visited_states(ctx, tokens.scorer, docs);
  const double share =
      static_cast<double>(shard.examples.size()) / static_cast<double>(shard.batch.examples.size());
  const ParserGradient gradient =
      rehearse_states(ctx, *model_, vectors, tokens, *wanted, visits, share, tutor.weight());
  loss += *gradient.loss.data<double>() * share;
  backward(ctx, gradient.d_vectors);
}

// Traces are for those that replay records, on one rank.
std::string TransitionComponent::pack_kept(const std::any& kept) const {
  const auto* result = std::any_cast<ShardResult>(&kept);
  if (result == nullptr) throw Error(ErrorKind::internal, "this is no result of a shard");
  MessageWriter message;
  message.put_tensor(result->missing.d_pad);
  message.put_tensor(result->missing.last_vector);
  return message.take();
}

std::any TransitionComponent::unpack_kept(std::string_view bytes) const {
  MessageReader message(bytes);
  ShardResult result;
  result.missing.d_pad = message.get_tensor();
  result.missing.last_vector = message.get_tensor();
  return result;
}

// Runs once all shards are there, on every rank with the results of all ranks.
void TransitionComponent::end_batch(Batch& batch) {
  traces_.clear();
  if (batch_state_.gold == 0) return;
  std::vector<const MissingFeatures*> missing;
  for (std::size_t s = 0; s < batch.shards.size(); ++s) {
    const auto* result = std::any_cast<ShardResult>(&batch.kept(*this, s));
    if (result == nullptr) continue;
    missing.push_back(&result->missing);
    if (keep_traces_) traces_.push_back(result->trace);
  }
  add_missing_features(batch, *model_, missing);
}

ScoreSessionPtr TransitionComponent::start_scores() const {
  return start_session(scorer_, *this, scorer_.score_with ? cfg_of(whole_cfg()) : Object());
}

ParserCfg TransitionComponent::whole_cfg() const {
  ParserCfg settings = cfg();
  settings.update_with_oracle_cut_size = cut_size_;
  settings.beam = beam_;
  return settings;
}

void TransitionComponent::to_disk(const std::filesystem::path& folder) const {
  write_parser_cfg(whole_cfg(), folder / "cfg");
  write_file(folder / "moves", moves());
  write_model(folder / "model", *model_);
}

void TransitionComponent::from_disk(const std::filesystem::path& folder) {
  const std::filesystem::path cfg_file = folder / "cfg", moves_file = folder / "moves";
  const ParserCfg settings = read_parser_cfg(whole_cfg(), cfg_file);
  if (!settings.beam.are_valid()) {
    throw Error(ErrorKind::data, fmt::format("{}: beam_width is a number from 1 to {}, beam_density"
                                             " and beam_update_prob are numbers from 0 to 1",
                                             cfg_file.string(), kWidestBeam));
  }
  cut_size_ = settings.update_with_oracle_cut_size;
  beam_ = settings.beam;
  take_cfg(settings, cfg_file.string());
  // Order matters: the classes give the output layer its size, and the weights are read into that.
  take_moves(read_file(moves_file), moves_file.string());
  if (class_count() == 0) {
    throw Error(ErrorKind::data, fmt::format("{}: it names no class", moves_file.string()));
  }
  grow_parser_output(*model_, class_count());
  const std::filesystem::path model_file = folder / "model";
  model_from_bytes(*model_, MappedFile(model_file).bytes(), model_file.string());
}

}  // namespace weft
