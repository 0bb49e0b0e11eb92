#include "framework/training/example_bytes.h"

#include <gtest/gtest.h>

namespace weft {
namespace {

Example example(int words, bool shared) {
  static const auto vocab = std::make_shared<const Vocab>("xx");
  const std::vector<std::string> list(static_cast<std::size_t>(words), "word");
  Doc reference = Doc::from_words(vocab, list);
  reference.set_ents({});
  if (shared) {
    Doc predicted(vocab, reference.tokens());
    return Example(std::move(predicted), std::move(reference));
  }
  return Example(Doc::from_words(vocab, list), std::move(reference));
}

TEST(ExampleBytesTest, GrowWithTheTokensAndWithASecondTokenization) {
  const std::size_t empty = estimated_bytes(example(0, true));
  const std::size_t some = estimated_bytes(example(100, true)) - empty;
  const std::size_t many = estimated_bytes(example(1000, true)) - empty;
  EXPECT_EQ(many, 10 * some);
  EXPECT_GE(some, 100 * (5 * sizeof(StringId) + 5)) << "five ids, and the text";
  EXPECT_LE(some, 100u * 200);
  EXPECT_GT(estimated_bytes(example(100, false)), some + empty + 100 * 5 * sizeof(StringId));
}

}  // namespace
}  // namespace weft
