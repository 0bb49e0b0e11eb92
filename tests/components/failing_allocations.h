// Allocations that fail while an object lives, however the test ends.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "framework/tensor/storage.h"

namespace weft {

struct FailingAllocations {
  explicit FailingAllocations(std::function<bool(std::size_t bytes)> fails) {
    fail_allocations(std::move(fails));
  }
  ~FailingAllocations() { fail_allocations({}); }
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
};

}  // namespace weft
