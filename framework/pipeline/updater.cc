#include "framework/pipeline/updater.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "framework/ops/random.h"
#include "framework/pipeline/slots.h"
#include "registry/error.h"

namespace weft {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Steps and parts in one number: no run has 2^48 steps, no batch 2^16 parts.
std::uint64_t draw_key(std::uint64_t step, std::uint64_t part) {
  return step << 16 | part;
}

std::vector<std::size_t> lengths_of(std::span<Example* const> examples) {
  std::vector<std::size_t> lengths;
  for (const Example* example : examples) {
    lengths.push_back(static_cast<std::size_t>(example->size()));
  }
  return lengths;
}

void check_losses(const Losses& losses) {
  for (const auto& [name, loss] : losses) {
    if (std::isfinite(loss)) continue;
    throw Error(ErrorKind::diverged, fmt::format("the loss of '{}' is {}", name, loss));
  }
}

std::int64_t tokens_before(const Batch& batch, const Shard& shard) {
  std::int64_t tokens = 0;
  for (std::size_t i = 0; i < shard.begin; ++i) tokens += batch.examples[i]->size();
  return tokens;
}

}  // namespace

// What a shard works with. Component i of the pipeline keeps its things at `kept[i]`.
struct Updater::Workspace {
  Context ctx;
  Gradients gradients;
  Losses losses;
  std::vector<std::any> kept;
};

Updater::Updater(Language& nlp, WorkerPool& pool, UpdaterOptions options)
    : nlp_(nlp), pool_(pool), options_(std::move(options)) {}

Updater::~Updater() = default;

bool Updater::is_frozen(const NamedComponent& component) const {
  return contains(options_.frozen, component.name);
}

Batch Updater::make_batch(std::span<Example* const> examples, double dropout, std::uint64_t step,
                          std::uint64_t part) const {
  Batch batch;
  batch.examples = examples;
  batch.shards = options_.one_shard ? std::vector<Shard>{{0, examples.size()}}
                                    : cut_into_shards(lengths_of(examples));
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

void Updater::run_shard(const Batch& batch, std::size_t shard, Workspace& workspace) const {
  const Shard& range = batch.shards[shard];
  const auto examples = batch.examples.subspan(range.begin, range.end - range.begin);
  std::vector<Doc*> docs;
  for (Example* example : examples) docs.push_back(&example->predicted());
  Context& ctx = workspace.ctx;
  CounterMasks counter(batch.seed, draw_key(batch.step, batch.sub_batch));
  MaskSource& masks = masks_ != nullptr ? *masks_ : counter;
  Slots slots;
  ctx.set_slots(&slots);
  ctx.set_place(tokens_before(batch, range), static_cast<std::int64_t>(range.begin));
  std::size_t number = 0;
  for (const NamedComponent& component : nlp_.pipeline()) {
    std::any& keep = workspace.kept[number++];
    if (!component.enabled) continue;
    ctx.train(batch.dropout, workspace.gradients, masks);
    ShardUpdate update{ctx, batch, shard, examples, slots, workspace.losses, keep};
    if (is_frozen(component)) {
      component.component->forward_frozen(update);
    } else {
      component.component->update(update);
    }
    if (contains(options_.annotating, component.name)) {
      ctx.predict();
      component.component->predict(ctx, docs, slots);
    }
  }
  ctx.train(batch.dropout, workspace.gradients, masks);
  slots.run_backward();
  ctx.set_slots(nullptr);
}

// In shard order: this fixes the order of every sum.
Losses Updater::collect(Batch& batch) {
  Losses losses;
  Gradients& sum = workspaces_.front()->gradients;
  std::vector<const Gradients*> others;
  const auto pipeline = nlp_.pipeline();
  for (std::size_t shard = 0; shard < batch.shards.size(); ++shard) {
    Workspace& workspace = *workspaces_[shard];
    if (shard > 0) others.push_back(&workspace.gradients);
    for (const auto& [name, loss] : workspace.losses) losses[name] += loss;
    for (std::size_t i = 0; i < pipeline.size(); ++i) {
      batch.kept_by_component[pipeline[i].component.get()].push_back(std::move(workspace.kept[i]));
    }
  }
  sum.add(others, tasks());
  batch.gradients = &sum;
  for (const NamedComponent& component : pipeline) {
    if (component.enabled && !is_frozen(component)) component.component->end_batch(batch);
  }
  if (gradients_.empty()) {
    std::swap(gradients_, sum);
  } else {
    const Gradients* const part[] = {&sum};
    gradients_.add(part, tasks());
  }
  return losses;
}

Losses Updater::accumulate(std::span<Example* const> examples, double dropout, std::uint64_t step,
                           std::uint64_t part) {
  if (examples.empty()) return {};
  Batch batch = make_batch(examples, dropout, step, part);
  for (const NamedComponent& component : nlp_.pipeline()) {
    if (component.enabled && !is_frozen(component)) component.component->begin_batch(batch);
  }
  while (workspaces_.size() < batch.shards.size()) {
    workspaces_.push_back(std::make_unique<Workspace>());
  }
  pool_.run(batch.shards.size(), [&](std::size_t shard) {
    Workspace& workspace = *workspaces_[shard];
    workspace.gradients.clear();
    workspace.losses.clear();
    workspace.kept.assign(nlp_.pipeline().size(), {});
    run_shard(batch, shard, workspace);
  });
  Losses losses = collect(batch);
  for (std::size_t shard = 0; shard < batch.shards.size(); ++shard) {
    workspaces_[shard]->ctx.end_step();
  }
  check_losses(losses);
  return losses;
}

TaskRunner Updater::tasks() const {
  return [this](std::size_t count, const std::function<void(std::size_t)>& task) {
    pool_.run(count, task);
  };
}

void Updater::apply(Optimizer& optimizer) {
  optimizer.step(ctx_, parameters(), gradients_, tasks());
  optimizer.advance();
  ctx_.end_step();
  gradients_.clear();
}

std::span<const NamedParameter> Updater::parameters() {
  if (parameters_.empty()) parameters_ = trained_parameters(nlp_, options_.frozen);
  return parameters_;
}

void Updater::choose(std::vector<std::string> frozen, std::vector<std::string> annotating) {
  if (frozen != options_.frozen) parameters_.clear();
  options_.frozen = std::move(frozen);
  options_.annotating = std::move(annotating);
}

}  // namespace weft
