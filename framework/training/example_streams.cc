#include "framework/training/example_streams.h"

#include <memory>
#include <utility>

#include "framework/text/example.h"

namespace weft {
namespace {

class FirstExamples : public ExampleStream {
 public:
  FirstExamples(ExampleStreamPtr examples, std::int64_t left)
      : examples_(std::move(examples)), left_(left) {}
  ExamplePtr next() override { return left_-- > 0 ? examples_->next() : (left_ = 0, nullptr); }

 private:
  ExampleStreamPtr examples_;
  std::int64_t left_;
};

class FunctionStream : public ExampleStream {
 public:
  explicit FunctionStream(std::function<ExamplePtr()> next) : next_(std::move(next)) {}
  ExamplePtr next() override {
    ExamplePtr example = next_ ? next_() : nullptr;
    if (!example) next_ = nullptr;
    return example;
  }

 private:
  std::function<ExamplePtr()> next_;
};

}  // namespace

ExampleStreamPtr first_examples(ExampleStreamPtr examples, std::int64_t limit) {
  if (limit <= 0) return examples;
  return std::make_unique<FirstExamples>(std::move(examples), limit);
}

ExampleStreamPtr stream_of(std::function<ExamplePtr()> next) {
  return std::make_unique<FunctionStream>(std::move(next));
}

ExampleStreamPtr numbered(ExampleStreamPtr examples) {
  std::shared_ptr<ExampleStream> source = std::move(examples);
  return stream_of([source, number = std::int64_t{0}]() mutable {
    ExamplePtr example = source->next();
    if (example) example->set_number(++number);
    return example;
  });
}

std::vector<ExamplePtr> read_all(ExampleStream& examples) {
  std::vector<ExamplePtr> all;
  while (ExamplePtr example = examples.next()) all.push_back(std::move(example));
  return all;
}

}  // namespace weft
