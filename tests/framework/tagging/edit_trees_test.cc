#include "framework/tagging/edit_trees.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/msgpack_writer.h"
#include "framework/text/string_store.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using testing::HasSubstr;

std::string tree_of(const char* form, const char* lemma) {
  EditTrees trees;
  return trees.str(trees.add(form, lemma));
}

TEST(EditTrees, AreBuiltAroundTheLongestCommonSubstring) {
  EXPECT_EQ(tree_of("running", "run"), "(m 0 4 () (s 'ning' ''))");
  EXPECT_EQ(tree_of("went", "go"), "(s 'went' 'go')");
  EXPECT_EQ(tree_of("gegooid", "gooien"), "(m 2 1 (s 'ge' '') (s 'd' 'en'))");
  EXPECT_EQ(tree_of("dog", "dog"), "(m 0 0 () ())");
  EXPECT_EQ(tree_of("", ""), "(m 0 0 () ())");
  EXPECT_EQ(tree_of("a", ""), "(s 'a' '')");
}

TEST(EditTrees, OfSeveralSubstringsTheFirstCounts) {
  EXPECT_EQ(tree_of("ab", "ba"), "(m 0 1 (s '' 'b') (s 'b' ''))");
  EXPECT_EQ(tree_of("abcabc", "abc"), "(m 0 3 () (s 'abc' ''))");
}

TEST(EditTrees, CountCodePoints) {
  EditTrees trees;
  const TreeNumber tree = trees.add("\xC3\xA4pfel", "apfel");
  EXPECT_EQ(trees.at(tree).prefix_length, 1U);
  EXPECT_EQ(trees.apply(tree, "\xC3\xA4pfel"), "apfel");
}

TEST(EditTrees, ApplyToOtherForms) {
  EditTrees trees;
  const TreeNumber tree = trees.add("running", "run");
  EXPECT_EQ(trees.apply(tree, "planning"), "plan");
  EXPECT_EQ(trees.apply(tree, "ning"), "");
  EXPECT_EQ(trees.apply(tree, "walking"), std::nullopt);
  EXPECT_EQ(trees.apply(tree, "ing"), std::nullopt) << "shorter than what is cut off";
}

TEST(EditTrees, EachIsThereOnceBehindItsParts) {
  EditTrees trees;
  EXPECT_EQ(trees.add("dogs", "dog"), 1U);
  EXPECT_EQ(trees.add("cats", "cat"), 1U);
  EXPECT_EQ(trees.size(), 2U);
  EXPECT_EQ(trees.find("pets", "pet"), 1U);
  EXPECT_EQ(trees.find("pets", "cat"), std::nullopt);
  EXPECT_EQ(trees.size(), 2U) << "looking adds nothing";
}

TEST(EditTrees, LongWordsAreReplacedAsAWhole) {
  const std::string form(2000, 'a');
  std::string lemma(1000, 'a');
  lemma.back() = 'b';
  EditTrees trees;
  EXPECT_FALSE(trees.at(trees.add(form, lemma)).is_match);
  EXPECT_TRUE(trees.at(trees.add(form, form)).is_match);
}

TEST(EditTrees, AreTheSameAfterAFile) {
  EditTrees trees;
  StringStore strings;
  for (const auto& [form, lemma] :
       {std::pair("running", "run"), {"went", "go"}, {"mice", "mouse"}}) {
    trees.add(form, lemma);
  }
  trees.for_each_text([&](std::string_view text) { strings.add(text); });
  const auto text_of = [&](StringId id) { return strings.find(id); };
  const EditTrees again = EditTrees::from_bytes(trees.to_bytes(), "trees", text_of);
  EXPECT_EQ(again.to_bytes(), trees.to_bytes());
  EXPECT_EQ(again.find("mice", "mouse"), trees.find("mice", "mouse"));
  EXPECT_THROW(EditTrees::from_bytes(trees.to_bytes() + "x", "trees", text_of), Error);
  const EditTrees listed = EditTrees::from_list(Node(trees.to_list()), "labels");
  EXPECT_EQ(listed.to_bytes(), trees.to_bytes());
  const auto nobody = [](StringId) { return std::optional<std::string_view>(); };
  try {
    EditTrees::from_bytes(trees.to_bytes(), "it/trees", nobody);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("it/trees: edit tree 0: no text is known"));
  }
}

// A `trees` file of so many substitutions, which name one text.
std::string trees_of_one_text(std::uint32_t count) {
  MsgpackWriter out;
  out.map(1);
  out.str("trees");
  out.array(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    out.map(2);
    for (const char* key : {"orig", "subst"}) {
      out.str(key);
      out.unsigned_integer(1);
    }
  }
  return out.take();
}

TEST(EditTrees, TextsThatAreNamedAgainAndAgainAreCounted) {
  const std::string text(10000, 'a');
  const auto text_of = [&](StringId) { return std::optional<std::string_view>(text); };
  ASSERT_EQ(::setenv("WEFT_READ_MIB", "1", 1), 0);
  EXPECT_EQ(EditTrees::from_bytes(trees_of_one_text(6), "it/trees", text_of).size(), 6U);
  try {
    EditTrees::from_bytes(trees_of_one_text(7), "it/trees", text_of);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.what(), HasSubstr("it/trees"));
    EXPECT_THAT(error.what(), HasSubstr("edit tree 6 would take more memory than the 1 MiB"));
  }
  ::unsetenv("WEFT_READ_MIB");
}

Node match(std::int64_t prefix_tree, std::int64_t suffix_tree) {
  Object tree;
  tree.set("prefix_len", 1);
  tree.set("suffix_len", 1);
  tree.set("prefix_tree", prefix_tree);
  tree.set("suffix_tree", suffix_tree);
  return tree;
}

TEST(EditTrees, ThatContainThemselvesOrWhatIsNotThereAreRefused) {
  constexpr std::int64_t kNone = 4294967295;
  const auto error_of = [](const List& list) -> std::string {
    try {
      EditTrees::from_list(Node(list), "labels");
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(error_of({match(1, kNone), match(kNone, kNone)}), "none") << "parts may come later";
  EXPECT_THAT(error_of({match(0, kNone)}), HasSubstr("contains itself"));
  EXPECT_THAT(error_of({match(1, kNone), match(kNone, 0)}), HasSubstr("contains itself"));
  EXPECT_THAT(error_of({match(5, kNone)}), HasSubstr("no tree 5"));
  EXPECT_THAT(error_of({match(-1, kNone)}), HasSubstr("-1"));
  EXPECT_THAT(error_of({Node(Object())}), HasSubstr("neither"));
  List deep;
  for (std::int64_t i = 0; i < 6000; ++i) deep.push_back(match(i == 0 ? kNone : i - 1, kNone));
  EXPECT_THAT(error_of(deep), HasSubstr("deeper than"));
  // Each contains the one before it twice: few trees, and two to the power of 40 parts.
  List doubled = {match(kNone, kNone)};
  for (std::int64_t i = 0; i < 12; ++i) doubled.push_back(match(i, i));
  EXPECT_EQ(error_of(doubled), "none");
  for (std::int64_t i = 12; i < 40; ++i) doubled.push_back(match(i, i));
  EXPECT_THAT(error_of(doubled), HasSubstr("more than 8192 parts"));
}

std::string fault_of_list(const std::string& trees) {
  try {
    EditTrees::from_list(*parse_json(trees), "labels.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "it is read";
}

std::string match(std::uint64_t length, std::uint64_t prefix, std::uint64_t suffix) {
  return R"({"prefix_len": )" + std::to_string(length) + R"(, "suffix_len": 0, "prefix_tree": )" +
         std::to_string(prefix) + R"(, "suffix_tree": )" + std::to_string(suffix) + "}";
}

TEST(EditTrees, PartsThatAreNotThereAndNumbersThatAreTooLargeAreRefused) {
  EXPECT_EQ(fault_of_list("[" + match(0, kNoTree, kNoTree) + "]"), "it is read");
  EXPECT_THAT(fault_of_list("[" + match(0, 1, kNoTree) + "]"), HasSubstr("there is no tree 1"));
  EXPECT_THAT(fault_of_list("[" + match(4294967296, kNoTree, kNoTree) + "]"),
              HasSubstr("4294967296 is no number of 32 bits"));
}

// Each is a part of the next one, once or twice.
std::string row_of_trees(int count, bool twice) {
  std::string all = match(0, kNoTree, kNoTree);
  for (std::uint64_t i = 1; i < static_cast<std::uint64_t>(count); ++i) {
    all += ", " + match(0, i - 1, twice ? i - 1 : kNoTree);
  }
  return "[" + all + "]";
}

TEST(EditTrees, DepthAndPartsHaveALimit) {
  EXPECT_EQ(fault_of_list(row_of_trees(4096, false)), "it is read");
  EXPECT_THAT(fault_of_list(row_of_trees(4097, false)), HasSubstr("deeper than 4096"));
  EXPECT_EQ(fault_of_list(row_of_trees(13, true)), "it is read");
  EXPECT_THAT(fault_of_list(row_of_trees(14, true)), HasSubstr("more than 8192 parts"));
}

TEST(EditTrees, AFileHasOneListOfTrees) {
  MsgpackWriter out;
  out.map(2);
  for (int i = 0; i < 2; ++i) {
    out.str("trees");
    out.array(0);
  }
  const auto no_text = [](StringId) { return std::optional<std::string_view>(); };
  try {
    EditTrees::from_bytes(out.bytes(), "trees", no_text);
    FAIL() << "it is read";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("'trees' is there twice"));
  }
}

}  // namespace
}  // namespace weft
