// Batches whose size after padding to the longest example stays below a limit, examples sorted by
// length within a buffer. spaCy 3.8 (docs/ner-model.md, section 5).
#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "components/batchers/batch_sizes.h"
#include "components/batchers/stream_batcher.h"
#include "framework/text/example.h"
#include "framework/training/batcher.h"
#include "framework/training/schedule.h"
#include "registry/functions/registration.h"

namespace weft {

namespace {

struct BatchByPadded {
  Schedule size;
  int buffer = 256;
  bool discard_oversize = false;
  Node get_length;
};

template <class V>
void fields(V& v, BatchByPadded& c) {
  v.required("size", c.size, "largest padded size, in tokens: a number or a schedule", at_least(1));
  v.required("buffer", c.buffer, "examples that are sorted by length together", at_least(1));
  v.required("discard_oversize", c.discard_oversize,
             "leave out batches of this padded size or more");
  v("get_length", c.get_length, "accepted and not used: a length is the number of tokens");
}

// Positions in the buffer, shortest examples first, cut wherever one more would exceed `size`.
std::vector<std::vector<std::size_t>> cut_by_length(const std::vector<ExamplePtr>& examples,
                                                    double size) {
  std::vector<std::pair<int, std::size_t>> order;
  for (std::size_t i = 0; i < examples.size(); ++i) order.emplace_back(examples[i]->size(), i);
  std::sort(order.begin(), order.end());
  std::vector<std::vector<std::size_t>> batches;
  for (const auto& [length, position] : order) {
    const bool fits =
        !batches.empty() &&
        static_cast<double>(length) * static_cast<double>(batches.back().size() + 1) <= size;
    if (!fits) batches.emplace_back();
    batches.back().push_back(position);
  }
  return batches;
}

class PaddedStream : public BatchStream {
 public:
  PaddedStream(BatchByPadded settings, ExampleStream& examples, std::int64_t& sizes_taken)
      : settings_(std::move(settings)),
        examples_(examples),
        sizes_(settings_.size, sizes_taken, "spacy.batch_by_padded.v1 size") {}

  std::vector<ExamplePtr> next() override {
    while (ready_.empty()) {
      if (!fill()) return {};
    }
    std::vector<ExamplePtr> batch = std::move(ready_.front());
    ready_.pop_front();
    return batch;
  }

 private:
  // Reads a buffer and cuts it; false at the end of the examples.
  // The schedule is asked once for a buffer, not for a batch. Batches come with the longest
  // examples first, and the examples of each in the order in which they were read, as in spaCy.
  bool fill() {
    std::vector<ExamplePtr> buffer;
    while (static_cast<int>(buffer.size()) < settings_.buffer) {
      ExamplePtr example = examples_.next();
      if (!example) break;
      buffer.push_back(std::move(example));
    }
    if (buffer.empty()) return false;
    const double size = sizes_.next();
    auto batches = cut_by_length(buffer, size);
    std::reverse(batches.begin(), batches.end());
    for (std::vector<std::size_t>& positions : batches) emit(buffer, positions, size);
    return true;
  }

  void emit(const std::vector<ExamplePtr>& buffer, std::vector<std::size_t>& positions,
            double size) {
    std::sort(positions.begin(), positions.end());
    std::vector<ExamplePtr> batch;
    int longest = 0;
    for (const std::size_t position : positions) {
      longest = std::max(longest, buffer[position]->size());
      batch.push_back(buffer[position]);
    }
    const double padded = static_cast<double>(longest) * static_cast<double>(batch.size());
    if (!settings_.discard_oversize || padded < size) ready_.push_back(std::move(batch));
  }

  BatchByPadded settings_;
  ExampleStream& examples_;
  BatchSizes sizes_;
  std::deque<std::vector<ExamplePtr>> ready_;
};

BatcherPtr batch_by_padded(const BatchByPadded& settings) {
  return batcher_of<PaddedStream>(settings);
}

const Registration registered{"spacy.batch_by_padded.v1", batch_by_padded,
                              "batches of a limited padded size, similar lengths together"};

}  // namespace

}  // namespace weft
