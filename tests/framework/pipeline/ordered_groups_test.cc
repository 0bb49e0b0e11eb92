#include "framework/pipeline/ordered_groups.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/pipeline/worker_pool.h"
#include "framework/text/vocab.h"

namespace weft {
namespace {

// Groups of two documents each, of one token.
class OrderedGroupsTest : public ::testing::TestWithParam<int> {
 protected:
  void make_groups(std::size_t count) {
    for (std::size_t i = 0; i < 2 * count; ++i) docs_.push_back(Doc::from_words(vocab_, {"a"}));
    for (Doc& doc : docs_) pointers_.push_back(&doc);
    for (std::size_t i = 0; i < count; ++i) {
      groups_.push_back(std::span<Doc* const>(pointers_).subspan(2 * i, 2));
    }
  }
  std::size_t number_of(std::span<Doc* const> group) const {
    return static_cast<std::size_t>(group[0] - docs_.data()) / 2;
  }
  static void add_spans(std::span<Doc* const> group, std::size_t count) {
    for (Doc* doc : group) doc->set_span_group("sc", {"sc", "", std::vector<Span>(count, {0, 1})});
  }

  const std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>();
  std::vector<Doc> docs_;
  std::vector<Doc*> pointers_;
  std::vector<std::span<Doc* const>> groups_;
  WorkerPool pool_{GetParam()};
};

TEST_P(OrderedGroupsTest, AllAreAnnotatedOnceWithoutManySpans) {
  make_groups(20);
  OrderedGroups ordered(groups_, 1000);
  ordered.run(pool_, [](std::span<Doc* const> group) { add_spans(group, 1); });
  EXPECT_EQ(ordered.documents(), 40);
  for (const Doc& doc : docs_) EXPECT_EQ(doc.span_groups().size(), 1);
}

// With several threads some are begun before the spans of others are known.
TEST_P(OrderedGroupsTest, NoneIsBegunOnceThereAreManySpans) {
  make_groups(20);
  OrderedGroups ordered(groups_, 12);
  ordered.run(pool_, [](std::span<Doc* const> group) { add_spans(group, 2); });
  EXPECT_GE(ordered.documents(), 6);
  EXPECT_LT(ordered.documents(), 6 + 2 * static_cast<std::size_t>(GetParam()));
  for (std::size_t i = 0; i < docs_.size(); ++i) {
    EXPECT_EQ(docs_[i].span_groups().empty(), i >= ordered.documents()) << i;
  }
}

TEST_P(OrderedGroupsTest, TheErrorIsThatOfTheFirstGroupThatFails) {
  make_groups(20);
  OrderedGroups ordered(groups_, 1000);
  try {
    ordered.run(pool_, [&](std::span<Doc* const> group) {
      const std::size_t number = number_of(group);
      if (number >= 5) throw std::runtime_error(std::to_string(number));
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "5");
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, OrderedGroupsTest, ::testing::Values(1, 3));

}  // namespace
}  // namespace weft
