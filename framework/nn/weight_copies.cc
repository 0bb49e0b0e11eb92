#include "framework/nn/weight_copies.h"

#include <atomic>
#include <utility>

#include "framework/ops/context.h"
#include "framework/precision/element_type.h"
#include "framework/precision/notice.h"
#include "registry/base/error.h"

namespace weft {

struct WeightCopies::Entry {
  const Parameter* parameter = nullptr;
  std::string site;
  std::uint64_t version = 0;
  const void* data = nullptr;
  std::atomic<bool> ready = false;
  std::mutex mutex;  // of the copy while it is made
  Tensor copy;
  std::int64_t casts = 0;

  bool is_current() const {
    return parameter->version == version && parameter->value.cview().data == data;
  }
  // Only f32 weights have copies: at O3 a weight is 16 bits wide itself.
  bool has_copy() const { return data != nullptr && parameter->value.dtype() == DType::f32; }
  void renew() {
    version = parameter->version;
    data = parameter->value.cview().data;
    ready = false;
  }
  void make(DType type, Context* ctx) {
    if (parameter->deferred) parameter->deferred->change_all();
    const Tensor& value = parameter->value;
    const Device device = ctx == nullptr ? Device() : ctx->device();
    if (!copy || copy.shape() != value.shape() || copy.device() != device) {
      copy = device == Device() ? Tensor::zeros(value.shape(), type)
                                : Tensor(ctx->stream(), value.shape(), type);
    }
    if (ctx == nullptr) {
      cast_rows(value, copy.view());
    } else {
      ctx->cast(ctx->resident(value), copy.view());
    }
    ++casts;
  }
};

WeightCopies::WeightCopies(DType type) : type_(type) {}
WeightCopies::~WeightCopies() = default;

void WeightCopies::track(const Parameter& parameter, std::string site) {
  const std::lock_guard lock(mutex_);
  auto& entry = entries_[&parameter];
  if (entry) return;
  entry = std::make_unique<Entry>();
  entry->parameter = &parameter;
  entry->site = std::move(site);
  entry->renew();
  index();
}

void WeightCopies::index() {
  by_data_.clear();
  for (const auto& [_, entry] : entries_) {
    if (entry->has_copy()) by_data_[entry->data] = entry.get();
  }
}

void WeightCopies::refresh() {
  const std::lock_guard lock(mutex_);
  bool moved = false;
  for (const auto& [_, entry] : entries_) {
    if (entry->is_current()) continue;
    moved = moved || entry->data != entry->parameter->value.cview().data;
    entry->renew();
  }
  if (moved) index();
}

void WeightCopies::forget_made() {
  const std::lock_guard lock(mutex_);
  for (const auto& [_, entry] : entries_) {
    const std::lock_guard made(entry->mutex);
    if (entry->copy && entry->copy.device() != Device()) entry->ready = false;
  }
}

const Tensor* WeightCopies::find(const void* data, Context* ctx) {
  const auto found = by_data_.find(data);
  if (found == by_data_.end()) return nullptr;
  Entry& entry = *found->second;
  if (!entry.is_current()) {
    throw Error(ErrorKind::internal, notices::stale_copy(entry.site).str());
  }
  if (!entry.ready.load(std::memory_order_acquire)) {
    const std::lock_guard lock(entry.mutex);
    if (!entry.ready.load(std::memory_order_relaxed)) entry.make(type_, ctx);
    entry.ready.store(true, std::memory_order_release);
  }
  return &entry.copy;
}

View WeightCopies::place_of(const Parameter& parameter) {
  const auto found = entries_.find(&parameter);
  if (found == entries_.end()) return {};
  Entry& entry = *found->second;
  const bool is_used = entry.ready && entry.has_copy() && entry.is_current();
  return is_used && entry.copy.device() == Device() ? entry.copy.view() : View();
}

void WeightCopies::written(const Parameter& parameter) {
  Entry& entry = *entries_.at(&parameter);
  entry.version = parameter.version;
  ++entry.casts;
}

std::int64_t WeightCopies::casts() const {
  std::int64_t sum = 0;
  for (const auto& [_, entry] : entries_) sum += entry->casts;
  return sum;
}

}  // namespace weft
