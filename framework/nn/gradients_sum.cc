// Sums of gradients: every parameter's on its own, in an order of terms that no thread changes.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "framework/nn/gradients.h"
#include "framework/nn/tree_sum.h"
#include "framework/nn/wide_sum.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/kernel.h"

namespace weft {

namespace {

bool are_f32(std::span<const Tensor* const> arrays) {
  return std::all_of(arrays.begin(), arrays.end(), [](const Tensor* array) {
    return array == nullptr || array->dtype() == DType::f32;
  });
}

// In blocks that stay in the first cache: each array is read once, and the sum is written once.
void add_f32(Tensor& to, bool is_uninitialised, std::span<const Tensor* const> arrays) {
  constexpr std::int64_t kBlock = 1024;
  TreeSum sum(arrays.size() + 1, kBlock);
  std::vector<const float*> parts(arrays.size() + 1);
  float* numbers = to.data<float>();
  for (std::int64_t begin = 0; begin < to.size(); begin += kBlock) {
    parts.front() = is_uninitialised ? nullptr : numbers + begin;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      parts[i + 1] = arrays[i] == nullptr ? nullptr : arrays[i]->data<float>() + begin;
    }
    sum.add(parts, numbers + begin, std::min(kBlock, to.size() - begin));
  }
}

}  // namespace

void Gradients::add_entry(const Parameter& parameter, std::span<const Gradients* const> others) {
  std::vector<const RowGradient*> rows;
  std::vector<const Tensor*> arrays;
  for (const Gradients* other : others) {
    const auto found = other->entries_.find(&parameter);
    const bool is_there = found != other->entries_.end();
    rows.push_back(is_there && found->second.rows_used ? found->second.rows.get() : nullptr);
    arrays.push_back(is_there && found->second.used ? &found->second.array : nullptr);
  }
  const auto has_any = [](const auto& all) {
    return std::any_of(all.begin(), all.end(), [](const auto* one) { return one != nullptr; });
  };
  if (has_any(rows)) rows_of(parameter).add(rows);
  if (has_any(arrays)) add_arrays(parameter, arrays);
}

// At least one array is there. A sum that is kept in 16 bits is added up in f32 and rounded once.
void Gradients::add_arrays(const Parameter& parameter, std::span<const Tensor* const> arrays) {
  if (stream_) {
    const View to = of(parameter).view();
    for (const Tensor* array : arrays) {
      if (array == nullptr) continue;
      kernel_of<AddInPlace>(stream_->device().kind)(*stream_, to, array->cview());
    }
    return;
  }
  const auto [array, is_uninitialised] = accumulator_of(parameter);
  if (array.dtype() == DType::f32 && are_f32(arrays)) {
    return add_f32(array, is_uninitialised, arrays);
  }
  const auto first =
      std::find_if(arrays.begin(), arrays.end(), [](auto* one) { return one != nullptr; });
  const bool is_copied = is_uninitialised && (*first)->dtype() == array.dtype();
  if (is_copied) {
    std::memcpy(array.view().data, (*first)->cview().data, array.bytes());
  } else if (is_uninitialised) {
    zero(array);
  }
  WideSum sum(array.view());
  for (auto from = is_copied ? first + 1 : first; from != arrays.end(); ++from) {
    if (*from != nullptr) sum.add((*from)->cview());
  }
  sum.store();
}

// Each task adds up the gradients of one parameter, all of `others`. So every sum has the same
// order of terms whatever thread computes it, and the result has the same bytes for any number of
// threads.
void Gradients::add(std::span<const Gradients* const> others, const TaskRunner& run) {
  for (const Gradients* other : others) {
    for (const auto& [parameter, entry] : other->entries_) {
      if (entry.used || entry.rows_used) entries_.try_emplace(parameter);
    }
  }
  std::vector<const Parameter*> all;  // every entry is there now: the tasks change none but theirs
  for (const auto& [parameter, entry] : entries_) all.push_back(parameter);
  run(all.size(), [&](std::size_t i) { add_entry(*all[i], others); });
}

}  // namespace weft
