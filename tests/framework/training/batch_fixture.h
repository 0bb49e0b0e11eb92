// A corpus of one-word documents and a batcher of fixed size, for tests of the batches of a run.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "framework/pipeline/language.h"
#include "framework/training/batcher.h"
#include "framework/training/example_streams.h"
#include "framework/training/reader.h"

namespace weft {

// `size` examples at a time; each batch asks the schedule for one size.
class FixedBatcher : public Batcher {
 public:
  explicit FixedBatcher(std::size_t size) : size_(size) {}
  BatchStreamPtr start(ExampleStream& examples, std::int64_t& sizes_taken) const override {
    return std::make_unique<Stream>(examples, sizes_taken, size_);
  }

 private:
  struct Stream : BatchStream {
    Stream(ExampleStream& examples, std::int64_t& taken, std::size_t size)
        : examples_(examples), taken_(taken), size_(size) {}
    std::vector<ExamplePtr> next() override {
      ++taken_;
      std::vector<ExamplePtr> batch;
      while (batch.size() < size_) {
        ExamplePtr example = examples_.next();
        if (!example) break;
        batch.push_back(std::move(example));
      }
      return batch;
    }
    ExampleStream& examples_;
    std::int64_t& taken_;
    std::size_t size_;
  };
  std::size_t size_;
};

class BatchesTest : public testing::Test {
 protected:
  // Documents of one word each, "0" ... "9".
  Reader corpus(int count) {
    return {[this, count](const Language& nlp) {
      ++opened_;
      auto next = std::make_shared<int>(0);
      return stream_of([next, count, vocab = nlp.vocab()]() -> ExamplePtr {
        if (*next == count) return nullptr;
        const std::string word = std::to_string((*next)++);
        return std::make_shared<Example>(
            Example::from_reference(Doc::from_words(vocab, {std::string_view(word)})));
      });
    }};
  }

  static std::string text_of(const std::vector<ExamplePtr>& batch) {
    std::string text;
    for (const ExamplePtr& example : batch) text += example->reference().word(0);
    return text;
  }

  static NlpSettings settings() {
    NlpSettings settings;
    settings.lang = "xx";
    return settings;
  }

  Language nlp_{Config(), settings()};
  FixedBatcher batcher_{3};
  std::atomic<int> opened_ = 0;  // two runs may read at once
};

}  // namespace weft
