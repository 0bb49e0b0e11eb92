// Makes many documents on several threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "framework/pipeline/worker_pool.h"
#include "framework/text/doc.h"

namespace weft {

// make(0) ... make(count - 1), each called once, on any thread, in this order in the result.
std::vector<Doc> make_docs(std::size_t count, const std::shared_ptr<const Vocab>& vocab,
                           WorkerPool& pool, const std::function<Doc(std::size_t)>& make);

}  // namespace weft
