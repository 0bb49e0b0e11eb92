#include "framework/tagging/label_list.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using testing::HasSubstr;

List names_of(std::int64_t count) {
  List names;
  for (std::int64_t i = 0; i < count; ++i) names.emplace_back(std::to_string(i));
  return names;
}

std::string refusal_of(LabelList& labels, List names, std::int64_t most) {
  StringStore strings;
  try {
    labels.add_list(Node(std::move(names)), "tagger/cfg", strings, most);
  } catch (const Error& error) {
    return error.message();
  }
  return "none";
}

TEST(LabelList, TakesAsManyLabelsAsAComponentMayHave) {
  LabelList labels;
  EXPECT_EQ(refusal_of(labels, names_of(kMostClasses), kMostClasses), "none");
  EXPECT_EQ(labels.size(), kMostClasses);
  StringStore strings;
  EXPECT_FALSE(labels.add("0", strings)) << "it is there";
  EXPECT_THROW(labels.add("one more", strings), Error);
  EXPECT_EQ(labels.size(), kMostClasses);
}

TEST(LabelList, RefusesMoreOfAListWithItsPlace) {
  LabelList labels;
  EXPECT_EQ(refusal_of(labels, names_of(kMostClasses + 1), kMostClasses),
            "tagger/cfg: more than 65536 labels");
  LabelList few;
  EXPECT_THAT(refusal_of(few, names_of(4), 3), HasSubstr("more than 3 labels"));
}

TEST(LabelList, CountsALabelThatComesTwiceOnce) {
  LabelList labels;
  EXPECT_EQ(refusal_of(labels, List{"a", "b", "a", "b"}, 2), "none");
  EXPECT_EQ(labels.size(), 2);
}

}  // namespace
}  // namespace weft
