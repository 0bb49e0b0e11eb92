#include "framework/training/augmenter.h"

#include <memory>
#include <utility>

#include "framework/pipeline/language.h"
#include "framework/pipeline/load_config.h"
#include "framework/text/example.h"
#include "framework/training/example_streams.h"

namespace weft {
namespace {

std::uint64_t seed_of(const Language& nlp) {
  const Config values = expanded(nlp.config());
  const Node* seed = values.find("training.seed");
  return seed == nullptr || !seed->is_integer() ? 0
                                                : static_cast<std::uint64_t>(seed->as_integer());
}

}  // namespace

ExampleStreamPtr augmented(ExampleStreamPtr examples, const Language& nlp, Augmenter augmenter) {
  const std::shared_ptr<ExampleStream> source = std::move(examples);
  return stream_of([source, &nlp, augmenter = std::move(augmenter), seed = seed_of(nlp),
                    number = std::uint64_t{0}]() mutable -> ExamplePtr {
    const ExamplePtr example = source->next();
    if (!example) return nullptr;
    Draws draws(seed, number++);
    ExamplePtr changed = augmenter.augment(nlp, example, draws);
    if (changed) changed->set_place(example->place());
    return changed;
  });
}

}  // namespace weft
