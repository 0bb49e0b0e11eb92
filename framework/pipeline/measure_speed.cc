#include "framework/pipeline/measure_speed.h"

#include <algorithm>
#include <chrono>

#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

// Documents that one thread tokenizes at a time.
constexpr std::size_t kChunk = 32;

std::vector<Doc> fresh_docs(const Language& nlp, std::span<const Doc> docs, WorkerPool& pool) {
  std::vector<Doc> fresh(docs.size(), Doc(nlp.vocab()));
  pool.run((docs.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
    const std::size_t end = std::min(docs.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) {
      fresh[i] = docs[i].has_unknown_spaces() ? docs[i].words_only() : nlp.make_doc(docs[i].text());
    }
  });
  return fresh;
}

// Annotates everything once; gives the number of words.
std::int64_t one_pass(const Language& nlp, std::span<const Doc> docs, WorkerPool& pool) {
  std::vector<Doc> fresh = fresh_docs(nlp, docs, pool);
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
