#include "framework/training/changed_words.h"

#include <gtest/gtest.h>

#include "framework/pipeline/language.h"
#include "registry/base/error.h"

namespace weft {
namespace {

class ChangedWords : public testing::Test {
 protected:
  ChangedWords()
      : doc_(Doc::from_words(vocab_, {"In", "New", "York", "City", "!"},
                             {true, true, true, false, false})) {
    doc_.set_ents({{1, 4, id("GPE")}});
    doc_.set_sent_starts({1, -1, -1, -1, -1});
    doc_.set_column(Attr::tag, {id("IN"), id("NNP"), id("NNP"), id("NNP"), id(".")});
    doc_.set_cat("short", true);
  }
  StringId id(std::string_view text) { return vocab_->strings().add(text); }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
  Doc doc_;
};

TEST_F(ChangedWords, KeepTheAnnotation) {
  const Doc changed = with_words(doc_, {"in", "new", "york", "city", "..."});
  EXPECT_EQ(changed.text(), "in new york city...");
  EXPECT_EQ(changed.attr_ids(Attr::norm)[1], string_id("new"));
  EXPECT_EQ(changed.ents(), doc_.ents());
  EXPECT_EQ(changed.value(Attr::tag, 4), id("."));
  EXPECT_EQ(changed.sent_starts()[0], 1);
  EXPECT_EQ(changed.cats(), doc_.cats());
  EXPECT_THROW(with_words(doc_, {"in"}), Error);
}

TEST_F(ChangedWords, MissingAnnotationStaysMissing) {
  const Doc bare = Doc::from_words(vocab_, {"a", "b"});
  const Doc changed = with_words(bare, {"A", "B"});
  EXPECT_FALSE(changed.has_ents());
  EXPECT_TRUE(changed.column(Attr::tag).empty());
}

TEST_F(ChangedWords, ATokenInsideAnEntityBelongsToIt) {
  const Doc changed = with_inserted(doc_, "\n", 2);
  EXPECT_EQ(changed.text(), "In New \nYork City!");
  ASSERT_EQ(changed.ents().size(), 1U);
  EXPECT_EQ(changed.ents()[0].start, 1);
  EXPECT_EQ(changed.ents()[0].end, 5);
  EXPECT_EQ(changed.value(Attr::tag, 2), id("_SP"));
  EXPECT_EQ(changed.sent_starts()[2], -1);
}

TEST_F(ChangedWords, ATokenBesideAnEntityIsOutside) {
  for (const int position : {0, 1, 4, 5}) {
    const Doc changed = with_inserted(doc_, "\t", position);
    ASSERT_EQ(changed.ents().size(), 1U);
    EXPECT_EQ(changed.ents()[0].end - changed.ents()[0].start, 3) << position;
    EXPECT_EQ(changed.ent_iob(position), Iob::out);
  }
}

}  // namespace
}  // namespace weft
