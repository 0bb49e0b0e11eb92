#include "framework/parser/entity_recognizer.h"

#include <algorithm>
#include <utility>

#include "framework/parser/entity_parses.h"
#include "framework/parser/ner_gold.h"
#include "framework/parser/parser_network.h"
#include "framework/parser/token_marks.h"
#include "framework/parser/training_parses.h"
#include "framework/pipeline/score_sessions.h"
#include "framework/text/vocab.h"
#include "registry/base/error.h"

namespace weft {

using transition::State;

namespace {

// What a shard leaves for the end of the batch.
struct Kept {
  Tensor d_pad;        // gradient of the lower layer's pad; empty: no parse
  Tensor last_vector;  // of the batch's last token, in the shard that holds it
  EntityRecognizer::ShardTrace trace;
};

std::vector<const Doc*> predicted_docs(std::span<Example* const> examples) {
  std::vector<const Doc*> docs;
  for (const Example* example : examples) docs.push_back(&example->predicted());
  return docs;
}

// f32, in memory that outlives the step.
Tensor kept_of(Context& ctx, const Tensor& tensor) {
  Tensor kept(ctx.stream(), tensor.shape(), DType::f32);
  ctx.cast(tensor, kept.view());
  return kept;
}

// The last example that has a token.
const Example* last_with_token(std::span<Example* const> examples) {
  const auto found = std::find_if(examples.rbegin(), examples.rend(),
                                  [](const Example* example) { return example->size() > 0; });
  return found == examples.rend() ? nullptr : *found;
}

EntityRecognizer::ShardTrace trace_of_record(const TrainingParses& parses,
                                             const TransitionRecord& record) {
  EntityRecognizer::ShardTrace trace{parses.states, {}};
  trace.classes.resize(parses.states.size());
  for (int r = 0; r < record.rows; ++r) {
    trace.classes[static_cast<std::size_t>(record.state[r])].push_back(record.classes[r]);
  }
  return trace;
}

}  // namespace

EntityRecognizer::EntityRecognizer(EntityRecognizerSettings settings)
    : settings_(std::move(settings)) {
  table_.set_negative_key(settings_.incorrect_spans_key);
}

void EntityRecognizer::take_table(ActionTable table) {
  table_ = std::move(table);
  actions_.clear();
  for (const ActionTable::Class& one : table_.classes()) {
    actions_.push_back({one.move, one.label.empty() ? 0 : vocab().strings().add(one.label)});
  }
  unseen_.clear();
}

void EntityRecognizer::predict(Context& ctx, std::span<Doc* const> docs, Slots&) const {
  const std::vector<const Doc*> inputs(docs.begin(), docs.end());
  const TokenMarks marks(inputs);
  const std::vector<State> states = first_states(inputs);
  const bool empty =
      std::all_of(states.begin(), states.end(), [](const State& s) { return s.is_final(); });
  std::vector<std::int32_t> classes;
  if (!empty) {
    const Tensor vectors = token_vectors(ctx, inputs, nullptr);
    classes = parse_greedily(ctx, *settings_.model, vectors,
                             entity_parses({actions_, unseen_, marks.view()}, states));
  }
  for (std::size_t i = 0; i < docs.size(); ++i) {
    const std::span<const std::int32_t> all(classes);
    annotate(*docs[i],
             all.subspan(static_cast<std::size_t>(states[i].first),
                         static_cast<std::size_t>(states[i].length)),
             actions_);
  }
}

void EntityRecognizer::begin_batch(Batch& batch) {
  add_labels_of(batch);
  plan_ = {};
  plan_.has_gold =
      std::any_of(batch.examples.begin(), batch.examples.end(), [&](const Example* example) {
        return has_entity_gold(*example, settings_.incorrect_spans_key);
      });
  plan_.last = last_with_token(batch.examples);
  const int size = settings_.update_with_oracle_cut_size;
  if (plan_.has_gold && size >= 1) {
    const int least = size / 2;  // a whole number in the reference too
    const double drawn = batch.uniform(name() + "/cut", least, size * 2.0);
    plan_.max_moves = std::max(static_cast<int>(drawn), 1);
  }
}

void EntityRecognizer::update(ShardUpdate& shard) const {
  if (!plan_.has_gold) return;
  const std::vector<const Doc*> docs = predicted_docs(shard.examples);
  const TokenMarks marks(docs);
  const TrainingParses parses = training_parses(shard.examples, docs, marks, actions_,
                                                settings_.incorrect_spans_key, plan_.max_moves);
  const bool holds_last =
      std::find(shard.examples.begin(), shard.examples.end(), plan_.last) != shard.examples.end();
  if (parses.states.empty() && !holds_last) return;
  Backward backward;
  const Tensor vectors = token_vectors(shard.ctx, docs, &backward);
  Kept kept;
  if (holds_last)
    kept.last_vector = kept_of(shard.ctx, vectors.rows(vectors.dim(0) - 1, vectors.dim(0)));
  if (!parses.states.empty()) {
    const int rounds = plan_.max_moves > 0 ? plan_.max_moves + 1 : 0;
    const TrainingBatch batch =
        entity_training(shard.ctx, {actions_, unseen_, marks.view()}, parses, rounds);
    const ParserGradient gradient =
        train_parses(shard.ctx, *settings_.model, vectors, batch, name() + "/state",
                     shard.ctx.pass().tokens_before());
    double& loss = shard.losses[name()];
    loss += gradient.loss;
    if (gradient.device_loss) {
      shard.ctx.read_later(gradient.device_loss, [&loss](double sum) { loss += sum; });
    }
    kept.d_pad = kept_of(shard.ctx, gradient.d_pad);
    if (keep_traces_ && shard.ctx.on_cpu()) kept.trace = trace_of_record(parses, gradient.record);
    backward(shard.ctx, gradient.d_vectors);
  }
  shard.keep = std::move(kept);
}

void EntityRecognizer::end_batch(Batch& batch) {
  traces_.clear();
  if (!plan_.has_gold) return;
  const Parameter& weight = settings_.model->ref("lower").param("W");
  std::vector<const Kept*> all;
  const Kept* last = nullptr;
  for (std::size_t s = 0; s < batch.shards.size(); ++s) {
    const Kept* kept = std::any_cast<Kept>(&batch.kept(*this, s));
    if (kept == nullptr) continue;
    all.push_back(kept);
    if (kept->last_vector) last = kept;
  }
  for (const Kept* kept : all) {
    if (keep_traces_) traces_.push_back(kept->trace);
    if (last == nullptr || !kept->d_pad) continue;
    add_missing_feature_gradient(*batch.ctx, kept->d_pad, last->last_vector,
                                 batch.gradients->of(weight));
  }
}

Tensor EntityRecognizer::token_vectors(Context& ctx, std::span<const Doc* const> docs,
                                       Backward* backward) const {
  Forward forward = settings_.model->ref("tok2vec")(ctx, docs);
  if (backward != nullptr) *backward = std::move(forward.backward);
  return std::get<Tensor>(std::move(forward.output));
}

ScoreSessionPtr EntityRecognizer::start_scores() const {
  return start_session(settings_.scorer);
}

}  // namespace weft
