#include "framework/text/cut_span_groups.h"

#include <random>

#include <gtest/gtest.h>

#include "framework/text/doc.h"

namespace weft {
namespace {

// The same spans as when every piece is cut out by itself, but for groups that are empty there.
TEST(CutSpanGroups, IsTheSameAsSlices) {
  const auto vocab = std::make_shared<Vocab>("en");
  const std::vector<std::string> words(20, "a");
  std::mt19937 random(3);
  const std::vector<std::pair<int, int>> pieces = {{0, 3}, {3, 4}, {4, 11}, {12, 19}};
  for (int round = 0; round < 200; ++round) {
    Doc doc = Doc::from_words(vocab, words);
    for (const char* key : {"a", "b", "c"}) {
      SpanGroup group{key, "", {}};
      for (unsigned i = random() % 6; i > 0; --i) {
        const int start = static_cast<int>(random() % 20);
        const int end =
            start + static_cast<int>(random() % (21u - static_cast<unsigned>(start)) / 3);
        group.spans.push_back({start, end, random() % 3});
      }
      doc.set_span_group(key, group);
    }
    const std::vector<SpanGroups> cut = cut_span_groups(doc.span_groups(), pieces);
    ASSERT_EQ(cut.size(), pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      SpanGroups expected = doc.slice(pieces[i].first, pieces[i].second).span_groups();
      std::erase_if(expected, [](const auto& group) { return group.second.spans.empty(); });
      EXPECT_EQ(cut[i], expected);
    }
  }
}

TEST(CutSpanGroups, LeavesAttributesBehind) {
  const SpanGroups groups = {{"k", {"name", "\x80", {{1, 2}}}}};
  const std::vector<std::pair<int, int>> pieces = {{1, 3}};
  const SpanGroups cut = cut_span_groups(groups, pieces)[0];
  ASSERT_EQ(cut.size(), 1u);
  EXPECT_EQ(cut[0].second, (SpanGroup{"name", "", {{0, 1}}}));
  EXPECT_TRUE(cut_span_groups(groups, {}).empty());
}

}  // namespace
}  // namespace weft
