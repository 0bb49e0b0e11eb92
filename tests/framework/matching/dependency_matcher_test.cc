#include "framework/matching/dependency_matcher.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

TEST(DependencyMatcher, FindsAllCombinationsInOrder) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc doc = Doc::from_words(vocab, {"she", "saw", "him"}, {});
  doc.set_heads({1, 0, -1});
  DependencyMatcher matcher;
  matcher.add("K", *parse_json(R"([[{"RIGHT_ID": "v", "RIGHT_ATTRS": {"LOWER": "saw"}},
      {"LEFT_ID": "v", "REL_OP": ">", "RIGHT_ID": "n", "RIGHT_ATTRS": {}}]])"));
  const std::vector<TreeMatch> wanted = {{0, {1, 0}}, {0, {1, 2}}};
  EXPECT_EQ(matcher.find(doc), wanted);
}

// The second tree comes first, whose first token another pattern looks for.
TEST(DependencyMatcher, TreesComeInTheOrderOfTokensThatAnyPatternNames) {
  Doc doc = Doc::from_words(std::make_shared<Vocab>("en"), {"x", "a", "b", "b"}, {});
  doc.set_heads({2, 0, 0, -2});  // "x" below the first "b", the second "b" below "a"
  DependencyMatcher matcher;
  matcher.add("K",
              *parse_json(R"([[{"RIGHT_ID": "n", "RIGHT_ATTRS": {"LOWER": {"IN": ["a", "b"]}}}],
      [{"RIGHT_ID": "n", "RIGHT_ATTRS": {"LOWER": "x"}}]])"));
  const std::vector<TreeMatch> wanted = {{0, {2}}, {0, {1}}, {0, {3}}, {0, {0}}};
  EXPECT_EQ(matcher.find(doc), wanted);
}

TEST(DependencyMatcher, StopsWhereThereAreTooManyMatches) {
  const std::vector<std::string> many(60, "a");
  Doc doc = Doc::from_words(std::make_shared<Vocab>("en"), many);
  std::vector<std::int32_t> heads(many.size());
  for (std::size_t i = 0; i < heads.size(); ++i) heads[i] = -static_cast<std::int32_t>(i);
  doc.set_heads(heads);
  std::string nodes = R"({"RIGHT_ID": "n0", "RIGHT_ATTRS": {}})";
  for (int i = 1; i < 8; ++i) {
    nodes += R"(, {"LEFT_ID": "n)" + std::to_string(i - 1) +
             R"(", "REL_OP": ".*", "RIGHT_ID": "n)" + std::to_string(i) +
             R"(", "RIGHT_ATTRS": {}})";
  }
  DependencyMatcher matcher;
  matcher.add("K", *parse_json("[[" + nodes + "]]"));
  EXPECT_THROW(matcher.find(doc), Error);
}

TEST(DependencyMatcher, NamesTheNodeThatIsWrong) {
  DependencyMatcher matcher;
  try {
    matcher.add("K", *parse_json(R"([[{"RIGHT_ID": "v", "RIGHT_ATTRS": {}},
        {"LEFT_ID": "v", "REL_OP": "~", "RIGHT_ID": "n", "RIGHT_ATTRS": {}}]])"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("pattern 1 of \"K\", node 2: \"~\" is no operator"));
  }
}

}  // namespace
}  // namespace weft
