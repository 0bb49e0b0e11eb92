// Retries of an update that runs out of memory.
#pragma once

#include <functional>

#include "framework/pipeline/batch.h"
#include "framework/pipeline/shard_memory.h"
#include "framework/text/example.h"
#include "registry/base/export.h"

namespace weft {

class RunFormats;

// Whether the action finds all the memory that it wants. Other errors pass through. Where it does
// not, work that was given up on a device may be what makes the 16-bit copies of weights: those of
// `formats`, which may be null, are made anew.
WEFT_API bool fits_into_memory(const std::function<void()>& action, RunFormats* formats = nullptr);

// Throws Error(memory) for the first document of the batch that is estimated to take more than the
// limit alone; nothing without a limit.
WEFT_API void check_document_sizes(const Batch& batch, const ShardBytes& bytes);

// Throws Error(memory) for a document that found no memory when nothing else ran.
[[noreturn]] WEFT_API void throw_too_long(const Example& example);

}  // namespace weft
