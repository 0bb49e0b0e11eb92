// Batches of about a given number of words. spaCy 3.8 (docs/ner-model.md, section 5).
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

struct BatchByWords {
  Schedule size;
  double tolerance = 0.2;
  bool discard_oversize = false;
  Node get_length;
};

template <class V>
void fields(V& v, BatchByWords& c) {
  v.required("size", c.size, "words per batch: a number or a schedule", at_least(1));
  v.required("tolerance", c.tolerance, "share of `size` by which a batch may exceed it",
             at_least(0.0));
  v.required("discard_oversize", c.discard_oversize,
             "leave out examples longer than size and tolerance");
  v("get_length", c.get_length, "accepted and not used: a length is the number of tokens");
}

// Examples in order with their number of words.
struct Group {
  std::vector<ExamplePtr> examples;
  double words = 0;

  void add(ExamplePtr example) {
    words += example->size();
    examples.push_back(std::move(example));
  }
};

class WordsStream : public BatchStream {
 public:
  WordsStream(BatchByWords settings, ExampleStream& examples, std::int64_t& sizes_taken)
      : settings_(std::move(settings)),
        examples_(examples),
        sizes_(settings_.size, sizes_taken, "spacy.batch_by_words.v1 size") {
    next_target();
  }

  std::vector<ExamplePtr> next() override {
    while (ready_.empty() && !at_end_) {
      if (ExamplePtr example = examples_.next()) {
        take(std::move(example));
      } else {
        at_end_ = true;
        for (ExamplePtr& rest : overflow_.examples) batch_.add(std::move(rest));
        emit();
      }
    }
    if (ready_.empty()) return {};
    std::vector<ExamplePtr> batch = std::move(ready_.front());
    ready_.pop_front();
    return batch;
  }

 private:
  void next_target() {
    target_ = sizes_.next();
    limit_ = target_ + target_ * settings_.tolerance;
  }

  void emit() {
    if (!batch_.examples.empty()) ready_.push_back(std::move(batch_.examples));
    batch_ = {};
  }

  // A batch is filled up to the target; those that come next wait in the overflow, which may fill
  // it up to the limit. The first example that does not fit there closes the batch, and the
  // overflow begins the next one. The order of the cases is that of spaCy's minibatch_by_words.
  void take(ExamplePtr example) {
    const double words = example->size();
    if (words > limit_) {
      if (!settings_.discard_oversize) ready_.push_back({std::move(example)});
    } else if (overflow_.words == 0 && batch_.words + words <= target_) {
      batch_.add(std::move(example));
    } else if (batch_.words + overflow_.words + words <= limit_) {
      overflow_.add(std::move(example));
    } else {
      emit();
      next_target();
      batch_ = std::exchange(overflow_, {});
      start_with_overflow(std::move(example), words);
    }
  }

  // Places the example that did not fit any more; the new batch holds what had overflown.
  void start_with_overflow(ExamplePtr example, double words) {
    if (batch_.words + words <= target_) {
      batch_.add(std::move(example));
    } else if (batch_.words + words <= limit_) {
      overflow_.add(std::move(example));
    } else {
      emit();
      next_target();
      batch_.add(std::move(example));
    }
  }

  BatchByWords settings_;
  ExampleStream& examples_;
  BatchSizes sizes_;
  double target_ = 0, limit_ = 0;
  Group batch_, overflow_;
  std::deque<std::vector<ExamplePtr>> ready_;
  bool at_end_ = false;
};

BatcherPtr batch_by_words(const BatchByWords& settings) {
  return batcher_of<WordsStream>(settings);
}

const Registration registered{"spacy.batch_by_words.v1", batch_by_words,
                              "batches of about a given number of words"};

}  // namespace

}  // namespace weft
