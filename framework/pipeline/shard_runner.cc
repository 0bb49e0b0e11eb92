#include "framework/pipeline/shard_runner.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "framework/nn/gradient_look.h"
#include "framework/nn/missing_kernel.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/random.h"
#include "framework/pipeline/component_failure.h"
#include "framework/pipeline/component_name.h"
#include "framework/pipeline/listener.h"
#include "framework/pipeline/loss_error.h"
#include "framework/pipeline/rehearsing.h"
#include "framework/pipeline/shard_memory.h"
#include "framework/pipeline/shard_workspace.h"
#include "framework/pipeline/slots.h"
#include "registry/base/error.h"

namespace weft {
namespace {

// Steps and parts in one number: no run has 2^48 steps, no batch 2^16 parts.
std::uint64_t draw_key(std::uint64_t step, std::uint64_t part) {
  return step << 16 | part;
}

void check_losses(const Losses& losses) {
  for (const auto& [name, loss] : losses) {
    if (std::isfinite(loss)) continue;
    throw LossError(fmt::format("the loss of '{}' is {}", name, loss), loss);
  }
}

// Dropout masks are keyed by the place of a token in the batch, not in its shard. So the masks stay
// the same however the batch is cut.
std::int64_t tokens_before(const Batch& batch, const Shard& shard) {
  std::int64_t tokens = 0;
  for (std::size_t i = 0; i < shard.begin; ++i) tokens += batch.examples[i]->size();
  return tokens;
}

// Components that merge or split tokens leave documents that the reference is not aligned with.
[[noreturn]] void refuse_other_tokens(const std::string& component) {
  throw Error(
      ErrorKind::config,
      fmt::format("'{}' merges or splits tokens, and cannot annotate documents while others "
                  "train on them: take it out of annotating_components",
                  component));
}

// A component predicts what those behind it train on. It has slots of its own: the vectors that are
// trained stay where they are, and later listeners train them.
void annotate(const NamedComponent& component, Context& ctx, std::span<Example* const> examples,
              Slots& slots) {
  std::vector<Doc*> docs;
  for (Example* example : examples) docs.push_back(&example->predicted());
  ctx.pass().predict();
  ctx.pass().set_slots(&slots);
  const std::vector<std::size_t> lengths = lengths_of(examples);
  component.component->predict(ctx, docs, slots);
  if (lengths_of(examples) != lengths) refuse_other_tokens(component.name);
}

}  // namespace

std::vector<std::size_t> lengths_of(std::span<Example* const> examples) {
  std::vector<std::size_t> lengths;
  for (const Example* example : examples) {
    lengths.push_back(static_cast<std::size_t>(example->size()));
  }
  return lengths;
}

ShardRunner::ShardRunner(Language& nlp, WorkerPool& pool, ShardRunnerOptions options)
    : nlp_(nlp),
      pool_(pool),
      options_(std::move(options)),
      tasks_([this](std::size_t count, const std::function<void(std::size_t)>& task) {
        pool_.run(count, task);
      }),
      batch_gradients_(nlp.stream()),
      gradients_(nlp.stream()),
      ctx_(nlp.stream()) {
  ctx_.use(nlp.device_weights().get());
  set_memory(options_.memory);
}

ShardRunner::~ShardRunner() = default;

bool ShardRunner::is_frozen(const NamedComponent& component) const {
  return names_contain(options_.frozen, component.name);
}

Batch ShardRunner::make_batch(std::span<Example* const> examples, double dropout,
                              std::uint64_t step, std::uint64_t part) const {
  Batch batch;
  batch.examples = examples;
  const bool is_cut = !options_.one_shard && ctx_.runs_beside_others();
  batch.shards = is_cut ? cut_into_shards(lengths_of(examples), options_.min_shards)
                        : std::vector<Shard>{{0, examples.size()}};
  batch.seed = options_.seed;
  batch.step = step;
  batch.sub_batch = part;
  batch.dropout = dropout;
  batch.uniform = uniform_;
  if (!batch.uniform) {
    batch.uniform = [seed = options_.seed, key = draw_key(step, part)](std::string_view site,
                                                                       double low, double high) {
      const RandomStream random(seed, key, site_hash(site));
      return low + (high - low) * static_cast<double>(random.uniform(0));
    };
  }
  return batch;
}

// One shard through all components, forward and back. Components that others listen to put their
// vectors into the slots and take the sum of the listeners' gradients from there once all have run.
// Everything that is written belongs to the workspace or to the shard's documents; weights are only
// read, and so shards run side by side.
void ShardRunner::run_shard(const Batch& batch, std::size_t shard, Workspace& workspace) {
  const Shard& range = batch.shards[shard];
  const auto examples = batch.examples.subspan(range.begin, range.end - range.begin);
  Context& ctx = workspace.ctx;
  CounterMasks counter(batch.seed, draw_key(batch.step, batch.sub_batch));
  MaskSource& masks = masks_ != nullptr ? *masks_ : counter;
  Slots slots(ctx);
  ctx.pass().set_slots(&slots);
  ctx.follow(nlp_.formats());
  ctx.watch().observe(observer_);
  // A shard that is alone multiplies by its weights once, and does better without packing them
  // ahead.
  ctx.share({&tasks_, batch.shards.size() > 1 ? &packed_ : nullptr, &scratch_});
  ctx.pass().set_loss_scale(loss_scale_);
  ctx.pass().set_place(tokens_before(batch, range), static_cast<std::int64_t>(range.begin));
  Slots tutor_slots(ctx), annotating_slots(ctx, &slots);
  std::size_t number = 0;
  for (const NamedComponent& component : nlp_.pipeline()) {
    std::any& keep = workspace.kept[number++];
    if (!component.enabled) continue;
    ctx.pass().train(batch.dropout, workspace.gradients, masks);
    ShardUpdate update{ctx, batch, shard, examples, slots, workspace.losses, keep};
    try {
      run_component(component.name, [&] {
        if (is_frozen(component)) {
          ctx.pass().predict();  // as it will be used: without dropout (spaCy 3.8)
          component.component->forward_frozen(update);
        } else if (tutor_ != nullptr) {
          rehearse_component(component, update, tutor_slots);
        } else {
          component.component->update(update);
        }
      });
    } catch (const Error& error) {
      throw_on_from("component '" + component.name + "'", error);
    } catch (const ComponentFailure& failure) {
      throw_failure(failure, examples);
    }
    if (tutor_ == nullptr && names_contain(options_.annotating, component.name)) {
      annotate(component, ctx, examples, annotating_slots);
      ctx.pass().set_slots(&slots);
    }
  }
  ctx.pass().train(batch.dropout, workspace.gradients, masks);
  slots.run_backward();
  ctx.stream().hand_over_all();  // the device may have no memory for work that was asked for
  if (!reads_late()) ctx.finish_reads();
  ctx.pass().set_slots(nullptr);
}

bool ShardRunner::reads_late() const {
  return !ctx_.uses_host_memory() && exchange_ == nullptr;
}

// Of the shards that were kept while their losses were still to come, as zeros. The device has one
// queue: a thread that waits for the first waits for all.
void ShardRunner::read_losses(Losses& losses) {
  for (const auto& workspace : workspaces_) {
    workspace->ctx.finish_reads();
    for (const auto& [name, loss] : workspace->losses) losses[name] += loss;
    workspace->losses.clear();
  }
}

// Networks that others listen to run as in an update, the tutor's beside them.
void ShardRunner::rehearse_component(const NamedComponent& component, ShardUpdate& update,
                                     Slots& slots) const {
  const Component* tutor = tutor_->find(component.name);
  const auto* rehearsing = dynamic_cast<const Rehearsing*>(component.component.get());
  if (vector_source(component.component.get()) != nullptr) component.component->update(update);
  if (tutor == nullptr) return;
  const TutorPass pass(*tutor, slots, rehearsal_weight_);
  if (rehearsing != nullptr) return rehearsing->rehearse(update, pass);
  if (vector_source(tutor) == nullptr) return;
  std::vector<Doc*> docs;
  for (Example* example : update.examples) docs.push_back(&example->predicted());
  const TutorPass::Scope scope(update.ctx, pass);
  update.ctx.pass().predict();
  tutor->predict(update.ctx, docs, slots);
}

Losses ShardRunner::rehearse(std::span<Example* const> examples, const Language& tutor,
                             double weight, std::uint64_t step) {
  if (examples.empty()) return {};
  tutor_ = &tutor;
  rehearsal_weight_ = weight;
  Losses losses;
  try {
    Batch batch = make_batch(examples, 0.0, step, 0);
    losses = run_batch(batch);
  } catch (...) {
    tutor_ = nullptr;
    throw;
  }
  tutor_ = nullptr;
  std::erase_if(losses, [&](const auto& loss) {
    return dynamic_cast<const Rehearsing*>(nlp_.find(loss.first)) == nullptr ||
           tutor.find(loss.first) == nullptr;
  });
  return losses;
}

// Components see the gradient of the whole batch before it joins that of the step, which may have
// several batches.
void ShardRunner::collect(Batch& batch) {
  batch.gradients = &batch_gradients_;
  batch_gradients_.mark_scaled(loss_scale_ != 1.0F);
  batch.ctx = &ctx_;
  for (const NamedComponent& component : nlp_.pipeline()) {
    if (!component.enabled || is_frozen(component) || tutor_ != nullptr) continue;
    component.component->end_batch(batch);
    if (batch_gradients_.take_early_read()) early_readers_.insert(component.name);
  }
  if (gradients_.empty()) {
    std::swap(gradients_, batch_gradients_);
  } else {
    const Gradients* const part[] = {&batch_gradients_};
    gradients_.add(part, tasks_);
    gradients_.mark_scaled(loss_scale_ != 1.0F);
  }
}

Losses ShardRunner::accumulate(std::span<Example* const> examples, double dropout,
                               std::uint64_t step, std::uint64_t part) {
  if (examples.empty()) return {};
  Batch batch = make_batch(examples, dropout, step, part);
  batch.copy_weights_to_host = [this] { nlp_.copy_weights_to_host(); };
  for (const NamedComponent& component : nlp_.pipeline()) {
    if (component.enabled && !is_frozen(component)) component.component->begin_batch(batch);
  }
  return run_batch(batch);
}

// Weights changed since the last batch, so every copy is renewed before a shard reads one: narrow
// formats first, then the device, then copies in other formats and packed panels.
Losses ShardRunner::run_batch(Batch& batch) {
  RunFormats* formats = nlp_.formats();
  if (formats != nullptr) formats->narrow_weights();  // those of labels that came with this batch
  nlp_.send_weights();
  if (formats != nullptr) formats->copies().refresh();
  const DType gradient_type = formats != nullptr ? formats->gradient_type() : DType::f32;
  for (Gradients* sum : {&batch_gradients_, &gradients_}) sum->keep_as(gradient_type);
  packed_.forget();
  Losses losses;
  if (exchange_ != nullptr && observer_ == nullptr) {
    run_divided(batch, losses);
  } else {
    run_shards(batch, losses);
  }
  collect(batch);
  if (reads_late()) {
    // Behind the passes, so that one wait is enough for the losses and what is decided by the
    // norms.
    const GradientLook look(ctx_, parameters(), gradients_);
    read_losses(losses);
    look.take();
  }
  ctx_.end_step();
  for (const auto& workspace : workspaces_) workspace->ctx.end_step();
  check_losses(losses);
  return losses;
}

void ShardRunner::set_memory(double bytes) {
  options_.memory = ctx_.uses_host_memory() ? bytes : 0.0;
}

std::span<const NamedParameter> ShardRunner::parameters() {
  if (parameters_.empty()) {
    parameters_ = trained_parameters(nlp_, options_.frozen, options_.frozen_layers);
  }
  return parameters_;
}

void ShardRunner::freeze(Frozen frozen) {
  if (frozen.components != options_.frozen || frozen.layers != options_.frozen_layers) {
    parameters_.clear();
  }
  options_.frozen = std::move(frozen.components);
  options_.frozen_layers = std::move(frozen.layers);
}

void ShardRunner::choose(std::vector<std::string> frozen, std::vector<std::string> annotating) {
  if (frozen != options_.frozen) parameters_.clear();
  options_.frozen = std::move(frozen);
  options_.annotating = std::move(annotating);
}

}  // namespace weft
