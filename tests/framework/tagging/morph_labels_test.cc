#include "framework/tagging/morph_labels.h"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/pipeline/label_limit.h"
#include "framework/tagging/token_annotation.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MorphLabelsTest : public testing::Test {
 protected:
  Doc doc(std::initializer_list<std::string_view> words, const std::vector<const char*>& pos,
          const std::vector<const char*>& morphs) {
    Doc doc = Doc::from_words(vocab_, words);
    const auto ids = [&](const auto& texts) {
      std::vector<StringId> ids;
      for (const char* text : texts) ids.push_back(vocab_->strings().add(text));
      return ids;
    };
    doc.set_column(Attr::pos, ids(pos));
    doc.set_column(Attr::morph, ids(morphs));
    return doc;
  }
  std::vector<GoldClass> gold(const MorphLabels& labels, Doc reference) {
    std::vector<GoldClass> gold;
    labels.append_gold(Example::from_reference(std::move(reference)), gold);
    return gold;
  }
  template <class Action>
  static std::string error_of(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(MorphLabelsTest, HaveThePartOfSpeechAmongTheFeatures) {
  EXPECT_EQ(morph_label("NOUN", MorphFeatures::parse("Number=Sing|Case=Nom")),
            "Case=Nom|Number=Sing|POS=NOUN");
  EXPECT_EQ(morph_label("", MorphFeatures()), "_");
}

TEST_F(MorphLabelsTest, FindTokensWhateverTheOrderOfTheirFeatures) {
  MorphLabels labels;
  labels.add_all_of(
      Example::from_reference(doc({"a", "b", "c"}, {"NOUN", "DET", ""}, {"A=b|C=d", "", "_"})),
      vocab_->strings());
  EXPECT_THAT(labels.names().names(), ElementsAre("A=b|C=d|POS=NOUN", "POS=DET", "_"));
  EXPECT_THAT(gold(labels, doc({"a", "b", "c", "d", "e"}, {"NOUN", "DET", "", "", "X"},
                               {"C=d|A=b", "_", "_", "", "_"})),
              ElementsAre(GoldClass::is(0), GoldClass::is(1), GoldClass::is(2),
                          GoldClass::missing(), GoldClass::missing()));
}

// spaCy could not load a morphologizer that has learnt another one.
TEST_F(MorphLabelsTest, HaveNoPartsOfSpeechButThoseOfUniversalDependencies) {
  MorphLabels labels;
  EXPECT_THAT(error_of([&] {
                labels.add_all_of(
                    Example::from_reference(doc({"a", "b"}, {"SPACE", "N"}, {"", ""})),
                    vocab_->strings());
              }),
              HasSubstr("\"b\"): \"N\" is no part of speech"));
  EXPECT_THAT(error_of([&] { labels.add("Case=Nom|POS=N", vocab_->strings()); }),
              HasSubstr("\"N\" is no part of speech"));
  EXPECT_THAT(labels.names().names(), ElementsAre("POS=SPACE"));
}

TEST_F(MorphLabelsTest, AreAsManyAsAComponentMayHave) {
  Object morphs, numbers, tables;
  for (std::int64_t i = 0; i <= kMostClasses; ++i) {
    const std::string label = "X=" + std::to_string(i);
    morphs.set(label, label);
    numbers.set(label, 0);
  }
  tables.set("morph", std::move(morphs));
  tables.set("pos", std::move(numbers));
  MorphLabels labels;
  try {
    labels.add_table(Node(std::move(tables)), "morph", "pos", "cfg", vocab_->strings());
    ADD_FAILURE() << "all of them were taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "cfg: more than 65536 labels");
  }
  EXPECT_EQ(labels.names().size(), kMostClasses);
}

TEST_F(MorphLabelsTest, TakeWhatFilesHaveAndRefuseTheRest) {
  Object morphs, numbers;
  morphs.set("POS=NOUN|X=y", "X=y");
  numbers.set("POS=NOUN|X=y", 92);
  Object both;
  both.set("morph", morphs);
  both.set("pos", numbers);
  MorphLabels labels;
  labels.add_table(Node(both), "morph", "pos", "file", vocab_->strings());
  EXPECT_TRUE(Node(labels.to_object("morph", "pos")).same_value(Node(both)));
  EXPECT_EQ(labels.analysis(0).pos, string_id("NOUN"));
  for (const Node& wrong : {Node(Object()), Node(List()), Node(morphs)}) {
    EXPECT_THROW(MorphLabels().add_table(wrong, "morph", "pos", "file", vocab_->strings()), Error);
  }
  numbers.set("POS=NOUN|X=y", 99999);
  both.set("pos", numbers);
  EXPECT_THROW(MorphLabels().add_table(Node(both), "morph", "pos", "file", vocab_->strings()),
               Error);
}

TEST_F(MorphLabelsTest, AreWhatTheAnnotationKindCounts) {
  const Doc found = doc({"a", "b"}, {"NOUN", ""}, {"A=b", ""});
  EXPECT_THAT(morph_annotation().labels_in(found), ElementsAre("A=b|POS=NOUN"));
  EXPECT_THAT(morph_annotation().text_of(found), HasSubstr("A=b|POS=NOUN"));
  EXPECT_TRUE(tag_annotation().labels_in(found).empty());
  EXPECT_TRUE(lemma_annotation().labels_in(found).empty());
  EXPECT_TRUE(sentence_annotation().labels_in(found).empty()) << "nothing says where they start";
}

}  // namespace
}  // namespace weft
