#include "framework/training/augmenter.h"

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "framework/pipeline/language.h"
#include "framework/pipeline/load_config.h"
#include "framework/text/example.h"
#include "framework/training/seed_functions.h"

namespace weft {
namespace {

class Augmented : public ExampleStream {
 public:
  Augmented(ExampleStreamPtr examples, const Language& nlp, Augmenter augmenter)
      : examples_(std::move(examples)),
        nlp_(nlp),
        augmenter_(std::move(augmenter)),
        seed_(training_seed(expanded(nlp.config()))) {}

  ExamplePtr next() override {
    while (waiting_.empty()) {
      const ExamplePtr example = examples_->next();
      if (!example) return nullptr;
      change(example);
    }
    ExamplePtr changed = std::move(waiting_.front());
    waiting_.pop_front();
    return changed;
  }

 private:
  void change(const ExamplePtr& example) {
    Draws draws(seed_, number_++);
    std::vector<ExamplePtr> changed;
    if (augmenter_.augment_all) {
      changed = augmenter_.augment_all(nlp_, example, draws);
    } else {
      changed.push_back(augmenter_.augment(nlp_, example, draws));
    }
    for (ExamplePtr& one : changed) {
      if (!one) continue;
      one->set_place(example->place());
      waiting_.push_back(std::move(one));
    }
  }

  ExampleStreamPtr examples_;
  const Language& nlp_;
  Augmenter augmenter_;
  std::uint64_t seed_;
  std::uint64_t number_ = 0;
  std::deque<ExamplePtr> waiting_;  // the rest of what the last example became
};

}  // namespace

ExampleStreamPtr augmented(ExampleStreamPtr examples, const Language& nlp, Augmenter augmenter) {
  return std::make_unique<Augmented>(std::move(examples), nlp, std::move(augmenter));
}

}  // namespace weft
