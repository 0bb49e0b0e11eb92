#include <gtest/gtest.h>

#include "components/weft.h"
#include "framework/text/example.h"
#include "framework/training/augmenter.h"
#include "framework/training/example_streams.h"

namespace weft {
namespace {

// An augmenter may give several examples for one, or none.
TEST(AugmentAll, SeveralExamplesOrNone) {
  const auto nlp = blank("en");
  std::vector<std::string> texts = {"one", "two words", "three words now"};
  std::size_t next = 0;
  ExampleStreamPtr source = stream_of([&]() -> ExamplePtr {
    if (next == texts.size()) return nullptr;
    const Doc doc = nlp->make_doc(texts[next++]);
    return std::make_shared<Example>(doc, doc);
  });
  Augmenter augmenter;
  augmenter.augment_all = [](const Language&, const ExamplePtr& example, Draws&) {
    return std::vector<ExamplePtr>(static_cast<std::size_t>(example->size() - 1), example);
  };
  const ExampleStreamPtr changed = augmented(std::move(source), *nlp, augmenter);
  std::vector<int> sizes;
  while (const ExamplePtr example = changed->next()) sizes.push_back(example->size());
  EXPECT_EQ(sizes, (std::vector<int>{2, 3, 3}));
}

}  // namespace
}  // namespace weft
