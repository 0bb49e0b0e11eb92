#include "framework/pipeline/measure_speed.h"

#include <chrono>
#include <utility>

#include "framework/pipeline/make_docs.h"
#include "framework/pipeline/worker_pool.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

struct Pass {
  std::int64_t words = 0;
  std::chrono::duration<double> time{};
};

// Annotates everything once.
Pass one_pass(const Language& nlp, std::span<const SpeedInput> inputs, WorkerPool& pool,
              PassStart from) {
  auto start = Clock::now();
  std::vector<Doc> fresh = make_docs(inputs.size(), nlp.vocab(), pool, [&](std::size_t i) {
    return inputs[i].words ? inputs[i].words->words_only() : nlp.make_doc(inputs[i].text);
  });
  Pass pass;
  std::vector<Doc*> pointers;
  for (Doc& doc : fresh) {
    pass.words += doc.size();
    if (!doc.empty()) pointers.push_back(&doc);
  }
  if (from == PassStart::ids) start = Clock::now();
  nlp.annotate(pointers, pool);
  pass.time = Clock::now() - start;
  return pass;
}

}  // namespace

std::vector<SpeedInput> speed_inputs(const std::vector<Doc>& docs) {
  std::vector<SpeedInput> inputs;
  inputs.reserve(docs.size());
  for (const Doc& doc : docs) {
    if (doc.has_unknown_spaces()) {
      inputs.push_back({.words = std::make_shared<Doc>(doc.words_only())});
    } else {
      inputs.push_back({.text = std::string(doc.text())});
    }
  }
  return inputs;
}

SpeedMeasurement measure_speed(const Language& nlp, std::span<const SpeedInput> inputs,
                               WorkerPool& pool, const SpeedPasses& passes) {
  SpeedMeasurement result;
  for (int number = -passes.warmup; number < passes.repeats; ++number) {
    const Pass pass = one_pass(nlp, inputs, pool, passes.start);
    result.words = pass.words;
    if (number >= 0) {
      result.words_per_second.push_back(static_cast<double>(pass.words) / pass.time.count());
    }
  }
  return result;
}

}  // namespace weft
