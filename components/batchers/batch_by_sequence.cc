// Batches of a given number of examples. spaCy 3.8 (docs/ner-model.md, section 5).
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "components/batchers/batch_sizes.h"
#include "components/batchers/stream_batcher.h"
#include "framework/text/example.h"
#include "framework/training/batcher.h"
#include "framework/training/schedule.h"
#include "registry/base/error.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct BatchBySequence {
  Schedule size;
  Node get_length;
};

template <class V>
void fields(V& v, BatchBySequence& c) {
  v.required("size", c.size, "examples per batch: a number or a schedule", at_least(1));
  v("get_length", c.get_length, "accepted and not used, as in spaCy");
}

constexpr double kLargestBatch = 1e15;  // more than any corpus has

class SequenceStream : public BatchStream {
 public:
  SequenceStream(Schedule size, ExampleStream& examples, std::int64_t& sizes_taken)
      : examples_(examples),
        sizes_(std::move(size), sizes_taken, "spacy.batch_by_sequence.v1 size") {}

  std::vector<ExamplePtr> next() override {
    const std::int64_t wanted = next_size();
    std::vector<ExamplePtr> batch;
    while (static_cast<std::int64_t>(batch.size()) < wanted) {
      ExamplePtr example = examples_.next();
      if (!example) break;
      batch.push_back(std::move(example));
    }
    return batch;
  }

 private:
  // An empty batch would end the pass, and no pass would ever train anything.
  std::int64_t next_size() {
    const double size = sizes_.next();
    if (size >= 1.0) return static_cast<std::int64_t>(std::min(size, kLargestBatch));
    throw Error(ErrorKind::config,
                fmt::format("spacy.batch_by_sequence.v1: the schedule of `size` gives {} for batch "
                            "{}; a batch has at least 1 example",
                            size, sizes_.last()));
  }

  ExampleStream& examples_;
  BatchSizes sizes_;
};

BatcherPtr batch_by_sequence(const BatchBySequence& settings) {
  return batcher_of<SequenceStream>(settings.size);
}

const Registration registered{"spacy.batch_by_sequence.v1", batch_by_sequence,
                              "batches of a given number of examples"};

}  // namespace

}  // namespace weft
