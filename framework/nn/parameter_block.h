// Neighbouring memory for the parameters that one file brings.
#pragma once

#include <cstddef>
#include <memory>

#include "framework/io/zeroed_pages.h"
#include "framework/tensor/storage.h"
#include "registry/base/export.h"

namespace weft {

// Large tables of parameters are read at random rows: on large pages, where the system has them,
// they are there sooner and are found faster. The memory is freed with the last of them.
class WEFT_API ParameterBlock final : public Allocator {
 public:
  // `bytes`: of all parameters together, about; parameters beyond that get memory of their own.
  explicit ParameterBlock(std::size_t bytes);

  Storage allocate(std::size_t bytes) override;

 private:
  std::shared_ptr<ZeroedPages> pages_;  // null where it is not worth it
  std::size_t used_ = 0;
};

}  // namespace weft
