#include "framework/training/batches_ahead.h"

#include "framework/training/misaligned_report.h"

namespace weft {

BatchesAhead::BatchesAhead(const Reader& corpus, const Language& nlp, const Batcher& batcher,
                           TrainingBatches::Options options, BatchPosition& position)
    : options_(options),
      position_(position),
      ahead_(position),
      batches_(corpus, nlp, batcher, options, ahead_) {
  position_ = ahead_;
  if (options_.max_epochs >= 0) return;
  if (options_.misaligned != nullptr) options_.misaligned->hold();
  prepare();
}

BatchesAhead::~BatchesAhead() {
  wait();
}

void BatchesAhead::prepare() {
  prepared_ = std::async(std::launch::async, [this] { return batches_.next(); });
}

std::vector<ExamplePtr> BatchesAhead::next() {
  wait();
  std::vector<ExamplePtr> batch = prepared_.valid() ? prepared_.get() : batches_.next();
  position_ = ahead_;
  if (options_.max_epochs < 0 && !batch.empty()) prepare();
  return batch;
}

void BatchesAhead::wait() {
  if (!prepared_.valid()) return;
  prepared_.wait();
  if (options_.misaligned != nullptr) options_.misaligned->show_held();
}

}  // namespace weft
