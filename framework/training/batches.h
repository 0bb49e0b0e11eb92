// The batches of a whole run, pass after pass. Source: docs/ner-model.md, section 6.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/training/batcher.h"
#include "framework/training/reader.h"
#include "framework/training/state.h"

namespace weft {

class MisalignedReport;

class WEFT_API TrainingBatches {
 public:
  struct Options {
    std::int64_t max_epochs = 0;  // 0: no end; negative: no end, streamed
    std::uint64_t seed = 0;
    std::int64_t shuffle_window = 0;         // of a stream: 0: none
    MisalignedReport* misaligned = nullptr;  // told of entities that do not fit; may be null
  };

  // Continues where `position` says, which it keeps up to date: skips the batches that were taken.
  // All of the references outlive this. Unless streamed, the corpus is read into memory here;
  // throws Error(data) if there is no example in it.
  TrainingBatches(const Reader& corpus, const Language& nlp, const Batcher& batcher,
                  Options options, BatchPosition& position);

  // The next batch, empty at the end of the run.
  std::vector<ExamplePtr> next();

  // The examples in memory, all that are trained on; none of a stream.
  const std::vector<ExamplePtr>& held() const { return examples_; }
  // Of the examples in memory, estimated; 0 for a stream.
  std::size_t held_bytes() const { return held_bytes_; }

 private:
  class InOrder;
  ExampleStreamPtr open_corpus() const;
  void open_pass();
  bool has_more_passes() const;

  const Reader& corpus_;
  const Language& nlp_;
  const Batcher& batcher_;
  Options options_;
  BatchPosition& position_;
  std::vector<ExamplePtr> examples_;  // all of them, unless streamed
  std::size_t held_bytes_ = 0;
  ExampleStreamPtr source_;
  BatchStreamPtr batches_;
  bool pass_gave_something_ = false;
};

// The numbers 0 ... count-1 in the random order of pass number `epoch`.
WEFT_API std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed,
                                           std::int64_t epoch);

}  // namespace weft
