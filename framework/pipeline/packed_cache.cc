#include "framework/pipeline/packed_cache.h"

#include <set>
#include <utility>

#include "framework/nn/model.h"
#include "framework/pipeline/language.h"
#include "framework/text/vectors.h"

namespace weft {
namespace {

// Of large networks a copy is not worth its memory: packing is a small part of their time.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

// Those of the process, for forget_all.
struct All {
  std::mutex mutex;
  std::set<PackedCache*> caches;
};

All& all() {
  static All& all = *new All;
  return all;
}

}  // namespace

PackedCache::PackedCache() {
  const std::scoped_lock lock(all().mutex);
  all().caches.insert(this);
}

PackedCache::~PackedCache() {
  const std::scoped_lock lock(all().mutex);
  all().caches.erase(this);
}

// Whether all weights are as they were the last time. From now on these are the last ones.
bool PackedCache::see(std::span<const NamedComponent> pipeline, const Vectors& vectors) {
  std::size_t at = 0;
  bool is_same = true;
  const auto see_one = [&](const Tensor& numbers, std::uint64_t version) {
    const std::size_t i = at++;
    if (i == seen_.size()) seen_.push_back({});
    Seen& seen = seen_[i];
    if (seen.version == version && seen.numbers.cview().data == numbers.cview().data) return;
    seen = {numbers, version};
    is_same = false;
  };
  see_one(vectors.table(), 0);
  for (const NamedComponent& one : pipeline) {
    for (const ModelPtr& model : one.component->models()) {
      for (const Model* node : std::as_const(*model).walk()) {
        for (const auto& parameter : node->params()) see_one(parameter->value, parameter->version);
      }
    }
  }
  is_same = is_same && at == seen_.size();
  seen_.resize(at);
  return is_same;
}

std::shared_ptr<PackedWeights> PackedCache::of(std::span<const NamedComponent> pipeline,
                                               const Vectors& vectors, bool needed_several_times) {
  const std::scoped_lock lock(mutex_);
  const bool is_same = see(pipeline, vectors);
  if (!is_same) packed_ = nullptr;
  if (packed_ == nullptr && (is_same || needed_several_times)) {
    packed_ = std::make_shared<PackedWeights>();
  }
  return packed_;
}

void PackedCache::bound() {
  const std::scoped_lock lock(mutex_);
  if (packed_ != nullptr && packed_->bytes() > kMostBytes) packed_ = nullptr;
}

std::size_t PackedCache::forget() {
  const std::scoped_lock lock(mutex_);
  const std::size_t bytes = packed_ == nullptr ? 0 : packed_->bytes();
  packed_ = nullptr;
  seen_.clear();
  return bytes;
}

std::size_t PackedCache::forget_all() {
  const std::scoped_lock lock(all().mutex);
  std::size_t bytes = 0;
  for (PackedCache* cache : all().caches) bytes += cache->forget();
  return bytes;
}

}  // namespace weft
