#include "framework/pipeline/measure_speed.h"

#include <chrono>

#include "framework/pipeline/make_docs.h"
#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

// Annotates everything once; gives the number of words.
std::int64_t one_pass(const Language& nlp, std::span<const Doc> docs, WorkerPool& pool) {
  std::vector<Doc> fresh = make_docs(docs.size(), nlp.vocab(), pool, [&](std::size_t i) {
    return docs[i].has_unknown_spaces() ? docs[i].words_only() : nlp.make_doc(docs[i].text());
  });
  std::vector<Doc*> pointers;
  std::int64_t words = 0;
  for (Doc& doc : fresh) {
    words += doc.size();
    if (!doc.empty()) pointers.push_back(&doc);
  }
  nlp.annotate(pointers, pool);
  return words;
}

}  // namespace

SpeedMeasurement measure_speed(const Language& nlp, std::span<const Doc> docs, WorkerPool& pool,
                               int repeats, int warmup) {
  SpeedMeasurement result;
  for (int pass = -warmup; pass < repeats; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    result.words = one_pass(nlp, docs, pool);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    if (pass >= 0) {
      result.words_per_second.push_back(static_cast<double>(result.words) / seconds.count());
    }
  }
  return result;
}

}  // namespace weft
