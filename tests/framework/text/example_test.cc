#include "framework/text/example.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/parser/ner_gold.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Words = std::initializer_list<std::string_view>;

class ExampleTest : public ::testing::Test {
 protected:
  Doc words(Words words) { return Doc::from_words(vocab_, words); }

  // A reference with tags; the predicted document has its own words.
  Example example(Words predicted, Words reference, std::vector<std::string> tags) {
    Doc doc = words(reference);
    set_ents_from_tags(doc, tags);
    return Example(words(predicted), std::move(doc));
  }

  std::string gold(const Example& example) {
    std::string text;
    for (const GoldTag& tag : gold_tags(example)) {
      if (!text.empty()) text += ' ';
      text += "-BILUO"[static_cast<int>(tag.move)];
      if (tag.label != 0) text += "-" + std::string(*vocab_->strings().find(tag.label));
    }
    return text;
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(ExampleTest, AlignsPartsOfTokens) {
  const Doc a = words({"I", "listened", "to", "obama's", "podcasts", "."});
  const Doc b = words({"i", "listened", "to", "obama", "'s", "podcasts."});
  const Alignment alignment(*a.tokens(), *b.tokens());
  EXPECT_THAT(alignment.to_reference(0), ElementsAre(0));
  EXPECT_THAT(alignment.to_reference(3), ElementsAre(3, 4));
  EXPECT_THAT(alignment.to_reference(5), ElementsAre(5));
  EXPECT_THAT(alignment.to_predicted(4), ElementsAre(3));
  EXPECT_THAT(alignment.to_predicted(5), ElementsAre(4, 5));
  EXPECT_FALSE(alignment.is_identity());
}

TEST_F(ExampleTest, AColumnComesOverWhereTokensAgree) {
  Doc reference = words({"can", "not", "go", "home"});
  reference.set_column(Attr::tag, {5, 5, 6, 7});
  const Example same(words({"cannot", "go", "ho", "me"}), reference);
  EXPECT_THAT(same.aligned_column(Attr::tag), ElementsAre(5, 6, 7, 7));
  EXPECT_THAT(same.aligned_column(Attr::pos), ElementsAre(0, 0, 0, 0)) << "not annotated";
  reference.set_column(Attr::tag, {5, 4, 6, 7});
  const Example split(words({"cannot", "go", "home"}), reference);
  EXPECT_THAT(split.aligned_column(Attr::tag), ElementsAre(0, 6, 7));
  const auto number_of = [](int token) { return token; };
  EXPECT_EQ(split.aligned(0, number_of), std::nullopt);
  EXPECT_EQ(split.aligned(1, number_of), 2);
}

TEST_F(ExampleTest, WhiteSpaceMayDiffer) {
  const Doc a = words({"a", " \n", "b", "  "});
  const Doc b = words({"\t", "a b"});
  const Alignment alignment(*a.tokens(), *b.tokens());
  EXPECT_THAT(alignment.to_reference(0), ElementsAre(1));
  EXPECT_THAT(alignment.to_reference(1), ElementsAre(1)) << "the space they share";
  EXPECT_THAT(alignment.to_reference(2), ElementsAre(1));
  EXPECT_THAT(alignment.to_reference(3), IsEmpty());
  EXPECT_THAT(alignment.to_predicted(0), IsEmpty());
  EXPECT_THAT(alignment.to_predicted(1), ElementsAre(0, 1, 2));
}

TEST_F(ExampleTest, AlignsBeyondAscii) {
  const Doc a = words({"ΟΔΟΣ", "İx", "Ü"});
  const Doc b = words({"ΟΔ", "ος", "i\u0307", "x", "ü"});
  const Alignment alignment(*a.tokens(), *b.tokens());
  EXPECT_THAT(alignment.to_reference(0), ElementsAre(0, 1));
  EXPECT_THAT(alignment.to_reference(1), ElementsAre(2, 3));
  EXPECT_THAT(alignment.to_reference(2), ElementsAre(4));
}

TEST_F(ExampleTest, OtherTextIsAnError) {
  EXPECT_THROW(Example(words({"a", "b"}), words({"a", "c"})), Error);
  EXPECT_THROW(Example(words({"a", "b"}), words({"a"})), Error);
  EXPECT_THROW(Example(words({}), words({"a"})), Error);
  EXPECT_NO_THROW(Example(words({}), words({" "})));
}

TEST_F(ExampleTest, SameTokensAlignToThemselves) {
  const Example same = Example::from_reference(words({"a", "b"}));
  EXPECT_TRUE(same.alignment().is_identity());
  EXPECT_THAT(same.alignment().to_predicted(1), ElementsAre(1));
  EXPECT_EQ(same.predicted().tokens(), same.reference().tokens()) << "shared";
  EXPECT_FALSE(same.predicted().has_ents());
}

TEST_F(ExampleTest, GoldTagsOfTheSameTokens) {
  EXPECT_EQ(gold(example({"a", "b", "c", "d", "e"}, {"a", "b", "c", "d", "e"},
                         {"B-X", "I-X", "I-X", "O", "B-Y"})),
            "B-X I-X L-X O U-Y");
  EXPECT_EQ(gold(example({"a", "b"}, {"a", "b"}, {"-", "O"})), "- O");
  EXPECT_EQ(gold(Example::from_reference(words({"a", "b"}))), "- -") << "no annotation";
}

TEST_F(ExampleTest, GoldTagsOfOtherTokens) {
  EXPECT_EQ(gold(example({"New York", "is", "big"}, {"New", "York", "is", "big"},
                         {"B-X", "I-X", "O", "O"})),
            "U-X O O");
  EXPECT_EQ(gold(example({"New", "York", "-based"}, {"New", "York-based"}, {"B-X", "I-X"})),
            "B-X I-X L-X");
  EXPECT_EQ(gold(example({"New", "York-based"}, {"New", "York", "-based"}, {"B-X", "I-X", "O"})),
            "- -")
      << "the edge falls inside a token";
  EXPECT_EQ(gold(example({"ab", "c"}, {"a", "b", "c"}, {"O", "-", "O"})), "- O")
      << "its reference tokens do not agree";
  EXPECT_EQ(gold(example({"a", " ", "b"}, {"a", "b"}, {"-", "-"})), "- - -") << "no annotation";
  EXPECT_EQ(gold(example({"a", " ", "b"}, {"a", "b"}, {"O", "-"})), "O O -")
      << "white space is out";
  EXPECT_EQ(gold(example({"a", " ", "b"}, {"a", "b"}, {"B-X", "I-X"})), "B-X I-X L-X")
      << "white space is left out of the comparison";
  EXPECT_EQ(gold(example({"a", "\n", "b"}, {"a", "b"}, {"B-X", "I-X"})), "- O -")
      << "only ASCII spaces are";
}

TEST_F(ExampleTest, ATokenServesOneSpanUnlessOverlapIsAllowed) {
  const Example same = Example::from_reference(words({"a", "b", "c"}));
  const Span spans[] = {{0, 2, 5}, {1, 2, 6}, {1, 3, 7}};
  EXPECT_THAT(same.spans_to_predicted(spans, false), ElementsAre(Span{0, 2, 5}));
  EXPECT_THAT(same.spans_to_predicted(spans, true), ElementsAre(spans[0], spans[1], spans[2]));
  EXPECT_THAT(same.spans_to_reference(spans, true), ElementsAre(spans[0], spans[1], spans[2]));
}

TEST_F(ExampleTest, LongSpansThatOverlapHaveALimitWhereTokensDiffer) {
  const std::vector<std::string> letters(1024, "a");
  std::vector<std::string> halves(letters);
  halves.insert(halves.end(), {"b", "c"});
  std::vector<std::string> whole(letters);
  whole.push_back("bc");
  const Example differing(Doc::from_words(vocab_, whole), Doc::from_words(vocab_, halves));
  std::vector<Span> spans(std::size_t{1} << 14, Span{0, 1024, 5});
  EXPECT_EQ(differing.spans_to_predicted(spans, true).size(), spans.size());
  spans.push_back({1024, 1026, 5});
  EXPECT_THROW(differing.spans_to_predicted(spans, true), Error);
  EXPECT_THROW(differing.spans_to_reference(spans, true), Error);
  const Example same = Example::from_reference(Doc::from_words(vocab_, halves));
  EXPECT_EQ(same.spans_to_predicted(spans, true).size(), spans.size()) << "no walk is needed";
}

}  // namespace
}  // namespace weft
