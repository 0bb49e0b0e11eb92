// Readers, batchers and augmenters from Python: generators of examples.
#include <memory>
#include <optional>
#include <vector>

#include <nanobind/stl/shared_ptr.h>

#include "functions.h"
#include "held.h"
#include "nodes.h"
#include "pipeline.h"
#include "python_examples.h"
#include "python_failure.h"

#include "framework/text/example.h"
#include "framework/training/augmenter.h"
#include "framework/training/batcher.h"
#include "framework/training/reader.h"

namespace weft::python {
namespace {

// One pass over what a reader generates.
class GeneratedExamples : public ExampleStream {
 public:
  GeneratedExamples(const Held& reader, const Language& nlp, std::string where)
      : where_(std::move(where)), loan_(nlp) {
    iterator_ = in_python(
        where_, [&] { return iterator_of(reader.get()(nb::cast(loan_.pipeline())), where_); });
  }

  ExamplePtr next() override {
    if (!iterator_) return nullptr;
    ExamplePtr example = in_python(where_, [&]() -> ExamplePtr {
      const nb::object given = next_of(iterator_);
      if (!given.is_valid()) return nullptr;
      return copy_of(given, where_);
    });
    if (!example) iterator_ = Held();
    return example;
  }

 private:
  std::string where_;
  Loan loan_;
  Held iterator_;
};

// One pass of a batcher, from an iterator of examples to one of lists.
class GeneratedBatches : public BatchStream {
 public:
  GeneratedBatches(const Held& batcher, ExampleStream& examples, std::string where)
      : where_(std::move(where)), source_(std::make_shared<LentStream>(examples)) {
    iterator_ =
        in_python(where_, [&] { return iterator_of(batcher.get()(nb::cast(source_)), where_); });
  }
  ~GeneratedBatches() override {
    const WithoutGil free;
    source_->take_back();
  }

  // An empty batch would end the pass.
  std::vector<ExamplePtr> next() override {
    return in_python(where_, [&] {
      std::vector<ExamplePtr> batch;
      while (batch.empty()) {
        const nb::object given = next_of(iterator_);
        if (!given.is_valid()) break;
        const Held items = iterator_of(given, where_);
        while (true) {
          const nb::object item = next_of(items);
          if (!item.is_valid()) break;
          batch.push_back(copy_of(item, where_));
        }
      }
      return batch;
    });
  }

 private:
  std::string where_;
  std::shared_ptr<LentStream> source_;
  Held iterator_;
};

class PythonBatcher : public Batcher {
 public:
  PythonBatcher(Held batcher, std::string where)
      : batcher_(std::move(batcher)), where_(std::move(where)) {}
  BatchStreamPtr start(ExampleStream& examples, std::int64_t&) const override {
    return std::make_unique<GeneratedBatches>(batcher_, examples, where_);
  }
  const Held& source() const { return batcher_; }

 private:
  Held batcher_;
  std::string where_;
};

std::vector<ExamplePtr> augment(const Held& augmenter, const std::string& where,
                                const Language& nlp, const ExamplePtr& example) {
  const Loan loan(nlp);
  return in_python(where, [&] {
    const auto copy = std::make_shared<Example>(*example);
    const Held given =
        iterator_of(augmenter.get()(nb::cast(loan.pipeline()), nb::cast(copy)), where);
    std::vector<ExamplePtr> changed;
    while (true) {
      const nb::object item = next_of(given);
      if (!item.is_valid()) return changed;
      changed.push_back(copy_of(item, where));
    }
  });
}

// The functions inside products, by which `source_of` finds what they were made of.
struct OpensExamples {
  Held made;
  std::string where;
  ExampleStreamPtr operator()(const Language& nlp) const {
    return std::make_unique<GeneratedExamples>(made, nlp, where);
  }
};

struct AugmentsExample {
  Held made;
  std::string where;
  std::vector<ExamplePtr> operator()(const Language& nlp, const ExamplePtr& example, Draws&) const {
    return augment(made, where, nlp, example);
  }
};

}  // namespace

// Readers of settings give data, as srsly.read_json.v1 does.
Argument make_reader(const Held& made, const std::string& where) {
  if (PyCallable_Check(made.get().ptr()) == 0) {
    if (std::optional<Node> data = data_of(made.get())) return *data;
  }
  require_callable(made, where, "a function that takes nlp and gives examples, or plain data");
  return Product::of(Reader{.open = OpensExamples{made, where}, .may_be_endless = true});
}

Argument make_batcher(const Held& made, const std::string& where) {
  require_callable(made, where, "a function that takes examples and gives lists of them");
  return Product::of(BatcherPtr(std::make_shared<PythonBatcher>(made, where)));
}

Argument make_augmenter(const Held& made, const std::string& where) {
  require_callable(made, where, "a function that takes nlp and an example and gives examples");
  return Product::of(Augmenter{.augment_all = AugmentsExample{made, where}});
}

Held source_of(const Reader& reader) {
  const auto* source = reader.open.target<OpensExamples>();
  return source == nullptr ? Held() : source->made;
}

Held source_of(const BatcherPtr& batcher) {
  const auto* source = dynamic_cast<const PythonBatcher*>(batcher.get());
  return source == nullptr ? Held() : source->source();
}

Held source_of(const Augmenter& augmenter) {
  const auto* source = augmenter.augment_all.target<AugmentsExample>();
  return source == nullptr ? Held() : source->made;
}

}  // namespace weft::python
