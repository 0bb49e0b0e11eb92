// A batcher: so many examples in each batch.
#include <memory>
#include <utility>
#include <vector>

#include "framework/training/batcher.h"
#include "registry/functions/registration.h"

namespace acme {
namespace {

struct FixedBatchesSettings {
  int size = 8;
};

template <class V>
void fields(V& v, FixedBatchesSettings& c) {
  v("size", c.size, "examples in a batch", weft::at_least(1));
}

class FixedStream final : public weft::BatchStream {
 public:
  FixedStream(int size, weft::ExampleStream& examples) : size_(size), examples_(examples) {}
  std::vector<weft::ExamplePtr> next() override {
    std::vector<weft::ExamplePtr> batch;
    while (static_cast<int>(batch.size()) < size_) {
      weft::ExamplePtr example = examples_.next();
      if (!example) break;
      batch.push_back(std::move(example));
    }
    return batch;
  }

 private:
  int size_;
  weft::ExampleStream& examples_;
};

class FixedBatches final : public weft::Batcher {
 public:
  explicit FixedBatches(int size) : size_(size) {}
  weft::BatchStreamPtr start(weft::ExampleStream& examples, std::int64_t&) const override {
    return std::make_unique<FixedStream>(size_, examples);
  }

 private:
  int size_;
};

weft::BatcherPtr fixed_batches(const FixedBatchesSettings& c) {
  return std::make_shared<FixedBatches>(c.size);
}

const weft::Registration registered{"acme.fixed_batches.v1", fixed_batches,
                                    "a fixed number of examples in each batch"};

}  // namespace
}  // namespace acme
