#include "framework/training/batches.h"

#include <numeric>
#include <utility>

#include "framework/ops/random.h"
#include "framework/tensor/large_pages.h"
#include "framework/training/example_bytes.h"
#include "framework/training/example_streams.h"
#include "framework/training/misaligned_report.h"
#include "framework/training/shuffle_window.h"
#include "registry/base/error.h"

namespace weft {

// The examples of one pass, from memory.
class TrainingBatches::InOrder : public ExampleStream {
 public:
  InOrder(const std::vector<ExamplePtr>& examples, std::vector<std::size_t> order)
      : examples_(examples), order_(std::move(order)) {}
  ExamplePtr next() override {
    return next_ < order_.size() ? examples_[order_[next_++]] : nullptr;
  }

 private:
  const std::vector<ExamplePtr>& examples_;
  std::vector<std::size_t> order_;
  std::size_t next_ = 0;
};

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed, std::int64_t epoch) {
  // Keyed by the epoch: a run that is resumed shuffles as it would have, and needs no earlier
  // draws.
  const RandomStream random(seed, static_cast<std::uint64_t>(epoch), site_hash("shuffle"));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return order;
}

TrainingBatches::TrainingBatches(const Reader& corpus, const Language& nlp, const Batcher& batcher,
                                 Options options, BatchPosition& position)
    : corpus_(corpus), nlp_(nlp), batcher_(batcher), options_(options), position_(position) {
  if (options_.max_epochs >= 0) {
    examples_ = read_all(*numbered(open_corpus()));
    if (options_.misaligned != nullptr) options_.misaligned->summarize();
    for (const ExamplePtr& example : examples_) held_bytes_ += estimated_bytes(*example);
    if (examples_.empty()) throw Error(ErrorKind::data, "there is no example in the training data");
    enlarge_heap_pages();  // each step reads examples from all over it
  }
  if (!has_more_passes()) return;
  // A run that is resumed stands in the middle of a pass. The pass begins as it did, and its
  // batches are made again without being trained on: batchers keep examples back, so that the place
  // in the corpus alone would not give the next batch.
  position_.sizes_taken = position_.sizes_at_epoch_start;
  open_pass();
  for (std::int64_t i = 0; i < position_.batches_taken; ++i) {
    pass_gave_something_ = true;
    if (batches_->next().empty()) {
      throw Error(ErrorKind::data, "the training data is not what it was when the run began");
    }
  }
}

bool TrainingBatches::has_more_passes() const {
  return options_.max_epochs < 1 || position_.epoch < options_.max_epochs;
}

ExampleStreamPtr TrainingBatches::open_corpus() const {
  if (options_.misaligned == nullptr) return corpus_.open(nlp_);
  options_.misaligned->start_pass();
  return open_telling(corpus_, nlp_, options_.misaligned->tells());
}

void TrainingBatches::open_pass() {
  batches_.reset();
  if (options_.max_epochs < 0) {
    source_ = numbered(open_corpus());
    if (options_.shuffle_window > 0) {
      source_ =
          shuffled_in_window(std::move(source_), static_cast<std::size_t>(options_.shuffle_window),
                             options_.seed, position_.epoch);
    }
  } else {
    source_ = std::make_unique<InOrder>(examples_,
                                        shuffled(examples_.size(), options_.seed, position_.epoch));
  }
  batches_ = batcher_.start(*source_, position_.sizes_taken);
  pass_gave_something_ = false;
}

std::vector<ExamplePtr> TrainingBatches::next() {
  while (has_more_passes()) {
    std::vector<ExamplePtr> batch = batches_->next();
    if (!batch.empty()) {
      ++position_.batches_taken;
      pass_gave_something_ = true;
      return batch;
    }
    // A batcher may drop every example for its length; without this the passes would never end.
    if (!pass_gave_something_) {
      throw Error(ErrorKind::data,
                  "a pass over the training data gave no batch: the batcher drops each example, as "
                  "with discard_oversize and a size below all of them");
    }
    ++position_.epoch;
    position_.batches_taken = 0;
    position_.sizes_at_epoch_start = position_.sizes_taken;
    if (has_more_passes()) open_pass();
  }
  return {};
}

}  // namespace weft
