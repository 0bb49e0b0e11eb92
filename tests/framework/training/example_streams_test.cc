#include "framework/training/example_streams.h"

#include <gtest/gtest.h>

#include "framework/text/example.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

ExampleStreamPtr stream(int count) {
  const auto vocab = std::make_shared<const Vocab>();
  return stream_of([vocab, count, next = 0]() mutable -> ExamplePtr {
    if (next == count) return nullptr;
    const std::string word = std::to_string(next++);
    return std::make_shared<Example>(
        Example::from_reference(Doc::from_words(vocab, {std::string_view(word)})));
  });
}

std::string texts(ExampleStream& examples) {
  std::string all;
  for (const ExamplePtr& example : read_all(examples)) all += example->reference().text();
  return all;
}

TEST(ExampleStreams, TheFirstExamplesAreTakenAndNoMoreAreRead) {
  EXPECT_EQ(texts(*first_examples(stream(5), 2)), "0 1 ");
  EXPECT_EQ(texts(*first_examples(stream(2), 5)), "0 1 ");
  EXPECT_EQ(texts(*first_examples(stream(3), 0)), "0 1 2 ");  // all of them
  int asked = 0;
  const ExampleStreamPtr counted = first_examples(stream_of([&]() -> ExamplePtr {
                                                    ++asked;
                                                    return stream(1)->next();
                                                  }),
                                                  3);
  read_all(*counted);
  EXPECT_EQ(counted->next(), nullptr);
  EXPECT_EQ(asked, 3);
}

TEST(ExampleStreams, AnEndIsAnEnd) {
  int asked = 0;
  const ExampleStreamPtr once =
      stream_of([&]() -> ExamplePtr { return ++asked == 2 ? nullptr : stream(1)->next(); });
  EXPECT_NE(once->next(), nullptr);
  EXPECT_EQ(once->next(), nullptr);
  EXPECT_EQ(once->next(), nullptr);  // a stream that ended is not asked again
  EXPECT_EQ(asked, 2);
}

TEST(ExampleStreams, NumbersCountFromOne) {
  const ExampleStreamPtr examples = numbered(stream(3));
  for (int number = 1; number <= 3; ++number) EXPECT_EQ(examples->next()->number(), number);
  EXPECT_EQ(examples->next(), nullptr);
}

}  // namespace
}  // namespace weft
