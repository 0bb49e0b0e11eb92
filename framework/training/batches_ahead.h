// The batches of a run whose data is streamed: while one batch trains, a thread of its own reads,
// tokenizes and cuts the next one. Data in memory needs no preparation and is taken as it is asked
// for.
#pragma once

#include <future>
#include <vector>

#include "framework/training/batches.h"

namespace weft {

// Exactly one batch is prepared ahead, always: a caller that looks at the state of reading
// (strings, counts of entities) after `wait` finds the same in every run, however fast its threads
// are.
class WEFT_API BatchesAhead {
 public:
  // As TrainingBatches, `position` included: it counts the batches that `next` gave.
  BatchesAhead(const Reader& corpus, const Language& nlp, const Batcher& batcher,
               TrainingBatches::Options options, BatchPosition& position);
  ~BatchesAhead();
  BatchesAhead(const BatchesAhead&) = delete;
  BatchesAhead& operator=(const BatchesAhead&) = delete;

  // The next batch, empty at the end of the run. Throws what preparing it threw.
  std::vector<ExamplePtr> next();
  // Waits until nothing is being prepared.
  void wait();

  const std::vector<ExamplePtr>& held() const { return batches_.held(); }
  std::size_t held_bytes() const { return batches_.held_bytes(); }

 private:
  void prepare();

  TrainingBatches::Options options_;
  BatchPosition& position_;
  BatchPosition ahead_;  // counts the prepared batch too
  TrainingBatches batches_;
  std::future<std::vector<ExamplePtr>> prepared_;
};

}  // namespace weft
