// Prediction: documents go through all components in groups that depend on the documents alone.
#include <algorithm>
#include <atomic>
#include <chrono>

#include "framework/ops/context.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/slots.h"
#include "framework/pipeline/token_scores.h"
#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

// Enough rows for the matrix products to be efficient, few enough to stay in the cache.
constexpr std::size_t kTokensPerGroup = 512;

std::vector<std::span<Doc* const>> groups_of(std::span<Doc* const> docs) {
  std::vector<std::span<Doc* const>> groups;
  std::size_t begin = 0;
  std::size_t tokens = 0;
  for (std::size_t i = 0; i < docs.size(); ++i) {
    tokens += static_cast<std::size_t>(docs[i]->size());
    if (tokens < kTokensPerGroup && i + 1 < docs.size()) continue;
    groups.push_back(docs.subspan(begin, i + 1 - begin));
    begin = i + 1;
    tokens = 0;
  }
  return groups;
}

void annotate_group(std::span<const NamedComponent> pipeline, Context& ctx,
                    std::span<Doc* const> docs) {
  Slots slots;
  ctx.predict();
  ctx.set_slots(&slots);
  for (const NamedComponent& component : pipeline) {
    if (component.enabled) component.component->predict(ctx, docs, slots);
  }
  ctx.set_slots(nullptr);
  ctx.end_step();
}

void lay_over(Scores& scores, const Scores& more) {
  for (const auto& [name, score] : more) scores.set(name, score);
}

}  // namespace

void Language::annotate(std::span<Doc* const> docs) const {
  check_initialized();
  const FlushDenormals flush;
  Context ctx;
  for (const auto& group : groups_of(docs)) annotate_group(pipeline_, ctx, group);
}

void Language::annotate(std::span<Doc* const> docs, WorkerPool& pool) const {
  check_initialized();
  const auto groups = groups_of(docs);
  const std::size_t workers = std::min(groups.size(), static_cast<std::size_t>(pool.threads()));
  std::atomic<std::size_t> next = 0;
  // One context for each worker: fresh memory for every group would cost a third of the time.
  pool.run(workers, [&](std::size_t) {
    Context ctx;
    for (std::size_t i = next++; i < groups.size(); i = next++) {
      annotate_group(pipeline_, ctx, groups[i]);
    }
  });
}

Scores Language::evaluate(std::span<Example> examples, WorkerPool& pool) const {
  std::vector<Doc*> docs;
  std::size_t words = 0;
  for (Example& example : examples) {
    docs.push_back(&example.predicted());
    words += static_cast<std::size_t>(example.size());
  }
  const auto start = std::chrono::steady_clock::now();
  annotate(docs, pool);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  Scores scores = score_tokenization(examples);
  for (const NamedComponent& component : pipeline_) {
    if (component.enabled) lay_over(scores, component.component->score(examples));
  }
  scores.set("speed", seconds.count() > 0 ? static_cast<double>(words) / seconds.count() : 0.0);
  return scores;
}

}  // namespace weft
