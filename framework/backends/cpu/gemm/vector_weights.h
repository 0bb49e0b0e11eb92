// The weights of a layer in panels of the vector unit: packed before any row is multiplied, or, for
// few rows, panel by panel as all rows are multiplied by each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/layer_gemms.h"
#include "framework/backends/cpu/gemm/packed_weights.h"
#include "framework/backends/cpu/gemm/packing.h"

namespace weft::cpu {

class VectorWeights {
 public:
  // `name` is that of the packed form among packed weights. Those that go by are packed in
  // `use_panels`, by the threads that are idle then. Throws Error(memory).
  VectorWeights(const Factor& name, Packing packing, bool go_by, const WorkSharing& sharing)
      : packing_(std::move(packing)) {
    if (go_by) {
      tasks_ = sharing.tasks;
    } else {
      packed_ = packed_weights(name, packing_, sharing);
    }
  }

  bool go_by() const { return packed_.data == nullptr; }

  // Calls use(i, panel) for each panel: one after the other, or on several threads where they go
  // by. Throws Error(memory).
  void use_panels(const std::function<void(std::int64_t, const float*)>& use) const {
    run_tasks(tasks_, packing_.parts, [&](std::size_t i) {
      const auto panel = static_cast<std::int64_t>(i);
      const auto bytes = static_cast<std::int64_t>(packing_.bytes);
      const auto numbers = bytes / static_cast<std::int64_t>(sizeof(float));
      if (!go_by()) return use(panel, static_cast<const float*>(packed_.data) + panel * numbers);
      const ScratchArray<float> packed(ScratchUse::right, numbers);
      packing_.pack(panel, packed);
      use(panel, packed);
    });
  }

 private:
  Packing packing_;
  PackedFactor packed_;
  const TaskRunner* tasks_ = nullptr;
};

}  // namespace weft::cpu
