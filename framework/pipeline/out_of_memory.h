// Retries of an update that runs out of memory.
#pragma once

#include <functional>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/shard_memory.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

// Whether the action finds all the memory that it wants. Other errors pass through.
WEFT_API bool fits_into_memory(const std::function<void()>& action);

// Throws Error(memory) for the first document of the batch that is estimated to take more than the
// limit alone; nothing without a limit.
WEFT_API void check_document_sizes(const Batch& batch, const ShardBytes& bytes);

// Throws Error(memory) for a document that found no memory when nothing else ran.
[[noreturn]] WEFT_API void throw_too_long(const Example& example);

}  // namespace weft
