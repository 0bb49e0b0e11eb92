// Documents that several ranks hold are annotated by all of them, each some, for rank 0.
// Source: docs/distributed.md, "Evaluation".
#pragma once

#include <span>

#include "framework/comm/communicator.h"
#include "framework/pipeline/language.h"
#include "framework/pipeline/worker_pool.h"
#include "registry/base/export.h"

namespace weft {

// Called by all ranks with the same documents and weights. The groups in which documents are
// predicted go round the ranks; on rank 0 all are annotated afterwards as one rank would have
// annotated them, elsewhere some are.
WEFT_API void annotate_on_all_ranks(Communicator& comm, const Language& nlp,
                                    std::span<Doc* const> docs, WorkerPool& pool);

}  // namespace weft
