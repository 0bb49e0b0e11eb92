// Prediction: documents go through all components in groups that depend on the documents alone.
#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/nn/device_weights.h"
#include "framework/nn/run_formats.h"
#include "framework/ops/context.h"
#include "framework/ops/packed_weights.h"
#include "framework/pipeline/component_failure.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/ordered_groups.h"
#include "framework/pipeline/out_of_memory.h"
#include "framework/pipeline/packed_cache.h"
#include "framework/pipeline/prediction_groups.h"
#include "framework/pipeline/slots.h"
#include "framework/pipeline/worker_pool.h"
#include "framework/tensor/object_pool.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft {
namespace {

void predict_group(std::span<const NamedComponent> pipeline, Context& ctx, RunFormats* formats,
                   std::span<Doc* const> docs) {
  Slots slots(ctx);
  ctx.pass().predict();
  ctx.follow(formats);
  ctx.pass().set_slots(&slots);
  for (const NamedComponent& component : pipeline) {
    if (!component.enabled) continue;
    run_component(component.name, [&] { component.component->predict(ctx, docs, slots); });
  }
  ctx.pass().set_slots(nullptr);
  ctx.end_step();
}

void annotate_group(std::span<const NamedComponent> pipeline, Context& ctx, RunFormats* formats,
                    std::span<Doc* const> docs);

// A group as it was before components annotated a part of it, and joined or split tokens. Copies
// share the tokens.
class AsTheyCame {
 public:
  explicit AsTheyCame(std::span<Doc* const> docs) : docs_(docs) {
    plain_.reserve(docs.size());
    for (const Doc* doc : docs) plain_.push_back(*doc);
  }
  void put_back() {
    for (std::size_t i = 0; i < docs_.size(); ++i) *docs_[i] = plain_[i];
  }

 private:
  std::span<Doc* const> docs_;
  std::vector<Doc> plain_;
};

// Tells of which document of the group a component failed: of the first of which it fails alone.
// Where it fails of them together only, no document is named.
[[noreturn]] void name_document(std::span<const NamedComponent> pipeline, Context& ctx,
                                RunFormats* formats, std::span<Doc* const> docs,
                                const ComponentFailure& failure) {
  ctx.pass().set_slots(nullptr);
  ctx.arena().release();
  if (docs.size() == 1) throw_failure(failure, *docs[0]);
  for (std::size_t i = 0; i < docs.size(); ++i) {
    annotate_group(pipeline, ctx, formats, docs.subspan(i, 1));
  }
  throw_failure(failure);
}

// Where memory runs out the group is halved.
void annotate_group(std::span<const NamedComponent> pipeline, Context& ctx, RunFormats* formats,
                    std::span<Doc* const> docs) {
  AsTheyCame before(docs);
  try {
    if (fits_into_memory([&] { predict_group(pipeline, ctx, formats, docs); }, formats)) return;
    before.put_back();
  } catch (const ComponentFailure& failure) {
    before.put_back();
    name_document(pipeline, ctx, formats, docs, failure);
  }
  ctx.pass().set_slots(nullptr);
  ctx.arena().release();
  if (docs.size() == 1) {
    throw Error(ErrorKind::memory,
                fmt::format("there is not enough memory to annotate a document of {} tokens, which "
                            "begins with \"{}\"; cut it into shorter ones",
                            docs[0]->size(),
                            printable(docs[0]->span_text(0, std::min(docs[0]->size(), 8)))));
  }
  annotate_group(pipeline, ctx, formats, docs.first(docs.size() / 2));
  annotate_group(pipeline, ctx, formats, docs.subspan(docs.size() / 2));
}

// Contexts of the CPU that no call uses at the time. Their memory is there already: fresh pages
// would cost a call a twentieth of its time.
class SpareContexts {
 public:
  static SpareContexts& of_process() {
    static SpareContexts& spare = *new SpareContexts;
    return spare;
  }

  std::shared_ptr<Context> take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_.empty()) {
        std::shared_ptr<Context> ctx = std::move(idle_.back());
        idle_.pop_back();
        return ctx;
      }
    }
    return std::make_shared<Context>();
  }
  // As a call left it, whatever became of that.
  void give_back(std::shared_ptr<Context> ctx) {
    if (ctx->arena().peak() > kMostBytes) return;  // a long document should not hold it for ever
    ctx->pass().set_slots(nullptr);
    ctx->share({});
    ctx->follow(nullptr);
    ctx->end_step();
    const std::scoped_lock lock(mutex_);
    if (idle_.size() < kMost) idle_.push_back(std::move(ctx));
  }

  std::size_t clear() {
    const std::scoped_lock lock(mutex_);
    std::size_t bytes = 0;
    for (const std::shared_ptr<Context>& ctx : idle_) bytes += ctx->arena().peak();
    idle_.clear();
    return bytes;
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20, kMost = 64;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Context>> idle_;
};

class GroupContexts {
 public:
  // `packed`: weights that all groups share; null: each packs its own.
  GroupContexts(std::shared_ptr<DeviceWeights> weights, std::shared_ptr<PackedWeights> packed)
      : weights_(std::move(weights)),
        packed_(std::move(packed)),
        sharing_{nullptr, packed_.get(), &scratch_} {}
  ~GroupContexts() {
    if (weights_) return;
    contexts_.for_each_idle([](std::shared_ptr<Context>& ctx) {
      SpareContexts::of_process().give_back(std::move(ctx));
    });
  }
  GroupContexts(const GroupContexts&) = delete;
  GroupContexts& operator=(const GroupContexts&) = delete;

  // One for each group that runs at the time: fresh memory for every group would cost a third of
  // the time.
  ObjectPool<std::shared_ptr<Context>>::Lease lease() {
    return ObjectPool<std::shared_ptr<Context>>::Lease(contexts_);
  }

 private:
  std::shared_ptr<Context> make() {
    if (weights_) return weights_->context();
    auto ctx = SpareContexts::of_process().take();
    ctx->share(sharing_);
    return ctx;
  }

  std::shared_ptr<DeviceWeights> weights_;
  std::shared_ptr<PackedWeights> packed_;
  ObjectPool<Arena> scratch_;
  WorkSharing sharing_;
  ObjectPool<std::shared_ptr<Context>> contexts_{[this] { return make(); }};
};

}  // namespace

std::size_t release_prediction_memory() {
  return SpareContexts::of_process().clear() + PackedCache::forget_all();
}

void Language::refresh_copies() const {
  send_weights();
  if (formats_) formats_->copies().refresh();
}

std::shared_ptr<PackedWeights> Language::packed_weights(std::size_t groups) const {
  if (device_weights_) return nullptr;
  return packed_cache_->of(pipeline_, const_vocab_->vectors(), groups > 1);
}

void Language::annotate(std::span<Doc* const> docs) const {
  check_initialized();
  const FlushDenormals flush;
  refresh_copies();
  const auto groups = prediction_groups(docs, stream()->device(), predicted_values());
  GroupContexts contexts(device_weights_, packed_weights(groups.size()));
  const auto ctx = contexts.lease();
  for (const auto& group : groups) annotate_group(pipeline_, **ctx, formats(), group);
  packed_cache_->bound();
}

void Language::annotate(std::span<Doc* const> docs, WorkerPool& pool) const {
  annotate_up_to(docs, pool, std::numeric_limits<std::size_t>::max());
}

std::size_t Language::annotate_some(std::span<Doc* const> docs, WorkerPool& pool) const {
  return annotate_up_to(docs, pool, kMostSpansAtOnce);
}

std::size_t Language::annotate_up_to(std::span<Doc* const> docs, WorkerPool& pool,
                                     std::size_t most_spans) const {
  check_initialized();
  refresh_copies();
  const auto groups = prediction_groups(docs, stream()->device(), predicted_values());
  GroupContexts contexts(device_weights_, packed_weights(groups.size()));
  OrderedGroups ordered(groups, most_spans);
  ordered.run(pool, [&](std::span<Doc* const> group) {
    const auto ctx = contexts.lease();
    annotate_group(pipeline_, **ctx, formats(), group);
  });
  packed_cache_->bound();
  return ordered.documents();
}

}  // namespace weft
