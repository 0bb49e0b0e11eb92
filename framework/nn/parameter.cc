#include "framework/nn/parameter.h"

namespace weft {

Tensor& Gradients::of(const Parameter& parameter) {
  Entry& entry = entries_[&parameter];
  if (!entry.array || entry.array.shape() != parameter.value.shape()) {
    entry.array = Tensor::zeros(parameter.value.shape());
  }
  entry.used = true;
  return entry.array;
}

const Tensor* Gradients::find(const Parameter& parameter) const {
  const auto found = entries_.find(&parameter);
  return found == entries_.end() || !found->second.used ? nullptr : &found->second.array;
}

void Gradients::add(const Gradients& other) {
  for (const auto& [parameter, entry] : other.entries_) {
    if (!entry.used) continue;
    float* sum = of(*parameter).data<float>();
    const float* term = entry.array.data<float>();
    for (std::int64_t i = 0; i < entry.array.size(); ++i) sum[i] += term[i];
  }
}

void Gradients::clear() {
  for (auto& [_, entry] : entries_) {
    if (entry.used) entry.array.fill_zero();
    entry.used = false;
  }
}

void Gradients::scale(float factor) {
  for (auto& [_, entry] : entries_) {
    if (!entry.used) continue;
    float* array = entry.array.data<float>();
    for (std::int64_t i = 0; i < entry.array.size(); ++i) array[i] *= factor;
  }
}

}  // namespace weft
