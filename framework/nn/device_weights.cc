#include "framework/nn/device_weights.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "framework/ops/context.h"
#include "registry/base/error.h"

namespace weft {

struct DeviceWeights::Idle {
  std::mutex mutex;
  std::vector<std::unique_ptr<Context>> contexts;

  std::unique_ptr<Context> take() {
    const std::lock_guard lock(mutex);
    if (contexts.empty()) return nullptr;
    std::unique_ptr<Context> context = std::move(contexts.back());
    contexts.pop_back();
    return context;
  }
  // Runs in the deleter of a shared pointer, and must not throw: a device that failed is found out
  // by its next use, and the context is not used again.
  void give_back(std::unique_ptr<Context> context) {
    try {
      context->pass().set_slots(nullptr);
      context->end_step();
      context->arena().release();
    } catch (const Error&) {
      return;  // the next use of the device reports it
    }
    const std::lock_guard lock(mutex);
    contexts.push_back(std::move(context));
  }
};

DeviceWeights::DeviceWeights(std::shared_ptr<Stream> stream)
    : stream_(std::move(stream)), idle_(std::make_shared<Idle>()) {}
DeviceWeights::~DeviceWeights() = default;

std::shared_ptr<Context> DeviceWeights::context() {
  const bool profiles = OpProfile::current() != nullptr;  // which no context may outlive
  std::unique_ptr<Context> context = profiles ? nullptr : idle_->take();
  if (!context) {
    context = std::make_unique<Context>(stream_);
    context->use(this);
  }
  if (profiles) return context;
  // The context may outlive this object, in a closure of a backward pass: it is given back only if
  // there is still a place for it.
  return {context.release(), [idle = std::weak_ptr(idle_)](Context* used) {
            std::unique_ptr<Context> owned(used);
            if (const std::shared_ptr<Idle> alive = idle.lock()) alive->give_back(std::move(owned));
          }};
}

void DeviceWeights::send(Entry& entry) {
  const Tensor& value = entry.parameter->value;
  // The device stepped these weights and the host did not fetch them; a copy would undo the steps.
  if (entry.ahead) {
    throw Error(ErrorKind::internal, "weight " + entry.parameter->name +
                                         " was changed on the host and on the device at once");
  }
  if (!entry.copy || entry.copy.shape() != value.shape() || entry.copy.dtype() != value.dtype()) {
    entry.copy = Tensor(*stream_, value.shape(), value.dtype());
  }
  stream_->copy(entry.copy.view().data, value.cview().data, value.bytes(),
                CopyKind::host_to_device);
  entry.version = entry.parameter->version;
  entry.host = static_cast<const char*>(value.cview().data);
}

bool DeviceWeights::is_current(const Entry& entry) {
  return entry.copy && entry.host == entry.parameter->value.cview().data &&
         entry.version == entry.parameter->version;
}

bool DeviceWeights::all_current(std::span<Parameter* const> parameters) const {
  return std::all_of(parameters.begin(), parameters.end(), [&](const Parameter* parameter) {
    if (!parameter->value) return true;
    const auto found = entries_.find(parameter);
    return found != entries_.end() && is_current(found->second);
  });
}

void DeviceWeights::refresh(std::span<Parameter* const> parameters) {
  const std::lock_guard lock(mutex_);
  if (all_current(parameters)) return;
  std::map<const Parameter*, Entry> kept;
  for (Parameter* parameter : parameters) {
    if (!parameter->value || kept.contains(parameter)) continue;
    // Copies that still fit are kept, with their memory; those of parameters that are gone are
    // freed. Nothing is taken out of `entries_` before all are there: memory may run out.
    const auto known = entries_.find(parameter);
    Entry entry = known != entries_.end() ? known->second : Entry{};
    entry.parameter = parameter;
    if (!is_current(entry)) send(entry);
    kept.emplace(parameter, std::move(entry));
  }
  entries_ = std::move(kept);
  index();
  stream_->synchronize();  // the host may change them again
}

void DeviceWeights::index() {
  by_address_.clear();
  for (const auto& [_, entry] : entries_) by_address_[entry.host] = &entry;
}

void DeviceWeights::fetch() {
  bool any = false;
  for (auto& [_, entry] : entries_) {
    if (!entry.ahead) continue;
    Tensor& value = entry.parameter->value;
    stream_->copy(value.view().data, entry.copy.cview().data, value.bytes(),
                  CopyKind::device_to_host);
    entry.ahead = false;
    any = true;
  }
  if (any) stream_->synchronize();
}

Tensor& DeviceWeights::written(Parameter& parameter) {
  const auto found = entries_.find(&parameter);
  if (found == entries_.end()) {
    throw Error(ErrorKind::internal, "weight " + parameter.name + " is not on the device");
  }
  Entry& entry = found->second;
  // From now on the device has the newer numbers; the version says so to those that packed the
  // weights.
  entry.ahead = true;
  entry.version = ++parameter.version;
  return entry.copy;
}

void DeviceWeights::exchange(Parameter& parameter, Tensor& other) {
  Tensor& copy = written(parameter);
  std::swap(copy, other);
  if (copy.dtype() == parameter.value.dtype()) return;
  parameter.value = Tensor::zeros(copy.shape(), copy.dtype());
  entries_.at(&parameter).host = static_cast<const char*>(parameter.value.cview().data);
  index();
}

const DeviceWeights::Entry* DeviceWeights::find(const void* host) const {
  const auto* address = static_cast<const char*>(host);
  // A view may begin inside of a weight: the last entry that begins at or before the address holds
  // it.
  const auto after = by_address_.upper_bound(address);
  if (after == by_address_.begin()) return nullptr;
  const Entry& entry = *std::prev(after)->second;
  return address < entry.host + entry.copy.bytes() ? &entry : nullptr;
}

const void* DeviceWeights::resident(const void* host) const {
  const Entry* entry = find(host);
  if (entry == nullptr) return host;
  const auto offset = static_cast<const char*>(host) - entry->host;
  return static_cast<const char*>(entry->copy.cview().data) + offset;
}

Tensor DeviceWeights::resident(const Tensor& weight) const {
  const Entry* entry = find(weight.cview().data);
  if (entry == nullptr) return weight;
  const auto offset = static_cast<const char*>(weight.cview().data) - entry->host;
  auto* data = static_cast<char*>(const_cast<void*>(entry->copy.cview().data)) + offset;
  return {Storage{data, weight.bytes(), stream_->device(), nullptr}, weight.shape(),
          weight.dtype()};
}

bool DeviceWeights::is_ahead() const {
  for (const auto& [_, entry] : entries_) {
    if (entry.ahead) return true;
  }
  return false;
}

}  // namespace weft
