#include "framework/pipeline/make_docs.h"

#include <algorithm>

namespace weft {
namespace {

// Documents that one thread makes at a time.
constexpr std::size_t kChunk = 32;

}  // namespace

std::vector<Doc> make_docs(std::size_t count, const std::shared_ptr<const Vocab>& vocab,
                           WorkerPool& pool, const std::function<Doc(std::size_t)>& make) {
  std::vector<Doc> docs(count, Doc(vocab));
  pool.run((count + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    const std::size_t end = std::min(count, (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) docs[i] = make(i);
  });
  return docs;
}

}  // namespace weft
