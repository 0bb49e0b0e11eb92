#include "framework/text/biluo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Tags = std::vector<std::string>;

std::vector<TagSpan> spans(const Tags& tags, TagScheme scheme = TagScheme::any) {
  DecodedTags decoded;
  const auto fault = decode_tags(tags, scheme, decoded);
  EXPECT_FALSE(fault) << fault->message;
  return decoded.spans;
}

std::string fault(const Tags& tags, TagScheme scheme = TagScheme::any) {
  DecodedTags decoded;
  const auto fault = decode_tags(tags, scheme, decoded);
  return fault ? std::to_string(fault->token) + " " + fault->message : "none";
}

TEST(Biluo, DecodesWhateverSchemeTheTagsFollow) {
  EXPECT_THAT(spans({"I-A", "I-A", "I-B", "O"}),
              ElementsAre(TagSpan{0, 2, "A"}, TagSpan{2, 3, "B"}));
  EXPECT_THAT(spans({"B-A", "B-A", "I-A"}), ElementsAre(TagSpan{0, 1, "A"}, TagSpan{1, 3, "A"}));
  EXPECT_THAT(spans({"U-A", "I-A", "L-A"}), ElementsAre(TagSpan{0, 1, "A"}, TagSpan{1, 3, "A"}));
  EXPECT_THAT(spans({"B-A-B", "I-A-B"}), ElementsAre(TagSpan{0, 2, "A-B"}));
  EXPECT_THAT(spans({"B-A", "-", "I-A"}), ElementsAre(TagSpan{0, 1, "A"}, TagSpan{2, 3, "A"}));
}

TEST(Biluo, FaultsNameTheToken) {
  EXPECT_THAT(fault({"O", "Q-A"}), HasSubstr("1 the tag \"Q-A\""));
  EXPECT_THAT(fault({"B-"}), HasSubstr("0 "));
  EXPECT_THAT(fault({"B"}), HasSubstr("0 "));
  EXPECT_THAT(fault({"S-A"}), HasSubstr("S- of IOBES is U- here"));
  EXPECT_THAT(fault({"B-A", "E-A"}), HasSubstr("E- of IOBES is L- here"));
  EXPECT_THAT(fault({"S-A"}, TagScheme::iob2), Not(HasSubstr("IOBES")));
  EXPECT_THAT(fault({"O", "L-A"}), HasSubstr("ends an entity"));
  EXPECT_THAT(fault({"B-B", "L-A"}), HasSubstr("ends an entity"));
  EXPECT_THAT(fault({"U-A"}, TagScheme::iob2), HasSubstr("IOB2"));
  EXPECT_THAT(fault({"I-A"}, TagScheme::iob2), HasSubstr("not begun"));
  EXPECT_EQ(fault({"I-A"}, TagScheme::iob1), "none");
  EXPECT_THAT(fault({"B-A", "U-B"}, TagScheme::biluo), HasSubstr("1 "));
  EXPECT_THAT(fault({"O", "B-A"}, TagScheme::biluo), HasSubstr("1 "));
  EXPECT_EQ(fault({"B-A", "I-A", "L-A", "U-B", "O"}, TagScheme::biluo), "none");
}

TEST(Biluo, TagsOfADocument) {
  const auto vocab = std::make_shared<Vocab>();
  Doc doc = Doc::from_words(vocab, {"a", "b", "c", "d", "e"});
  const Tags tags = {"B-X", "I-X", "L-X", "-", "U-Y"};
  set_ents_from_tags(doc, tags);
  EXPECT_EQ(biluo_strings(doc), tags);
  EXPECT_EQ(biluo_tags(doc)[1], (GoldTag{Move::in, string_id("X")}));
  const Span blocked[] = {{0, 1}};
  doc.set_ents({}, EntsDefault::missing, blocked);
  EXPECT_THAT(biluo_strings(doc), ElementsAre("O", "-", "-", "-", "-"));
  EXPECT_THROW(set_ents_from_tags(doc, Tags{"O"}), Error);
  EXPECT_THROW(set_ents_from_tags(doc, Tags{"O", "O", "L-X", "O", "O"}), Error);
}

}  // namespace
}  // namespace weft
