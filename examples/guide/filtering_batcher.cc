// A batcher: batches of so many examples, no two of which have the same text.
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/text/example.h"
#include "framework/training/batcher.h"
#include "registry/functions/registration.h"

namespace guide {
namespace {

struct BatcherSettings {
  int size = 0;
};

template <class V>
void fields(V& v, BatcherSettings& c) {
  v.required("size", c.size, "examples in a batch", weft::closed_range(1, 1 << 20));
}

class FilteredStream final : public weft::BatchStream {
 public:
  FilteredStream(std::size_t size, weft::ExampleStream& examples)
      : size_(size), examples_(examples) {}

  // The last batch of a pass may be smaller; it is trained on too.
  std::vector<weft::ExamplePtr> next() override {
    std::vector<weft::ExamplePtr> batch;
    while (batch.size() < size_) {
      weft::ExamplePtr example = examples_.next();
      if (!example) break;
      if (!has_text(batch, example->reference().text())) batch.push_back(std::move(example));
    }
    return batch;
  }

 private:
  static bool has_text(const std::vector<weft::ExamplePtr>& batch, std::string_view text) {
    return std::any_of(batch.begin(), batch.end(), [&](const weft::ExamplePtr& example) {
      return example->reference().text() == text;
    });
  }

  std::size_t size_;
  weft::ExampleStream& examples_;
};

class FilteringBatcher final : public weft::Batcher {
 public:
  explicit FilteringBatcher(int size) : size_(static_cast<std::size_t>(size)) {}
  weft::BatchStreamPtr start(weft::ExampleStream& examples, std::int64_t&) const override {
    return std::make_unique<FilteredStream>(size_, examples);
  }

 private:
  std::size_t size_;
};

weft::BatcherPtr filtering_batcher(const BatcherSettings& c) {
  return std::make_shared<FilteringBatcher>(c.size);
}

const weft::Registration registered{"filtering_batch.v1", filtering_batcher,
                                    "batches in which no text is there twice"};

}  // namespace
}  // namespace guide
