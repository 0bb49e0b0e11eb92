#include "framework/text/span_groups_codec.h"

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/io/msgpack_writer.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

class SpanGroupsCodecTest : public ::testing::Test {
 protected:
  Doc four() const { return Doc::from_words(vocab_, {"Zoë", "b", "c", "d"}); }

  Doc unpacked(const std::string& bytes) const {
    Doc doc = four();
    ReadBudget budget("test", bytes.size());
    unpack_span_groups(bytes, "test", budget, doc);
    return doc;
  }

  std::shared_ptr<Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(SpanGroupsCodecTest, GroupsComeBackUnderTheirKeys) {
  Doc doc = four();
  const SpanGroup group{"name", "\x81\xa1k\x01", {{0, 2, 5, 6, 7}, {1, 4, 8}, {2, 2, 9}}};
  doc.set_span_group("one", group);
  doc.set_span_group("other", {"other", "", {}});
  doc.set_span_group("two", group);
  const Doc again = unpacked(pack_span_groups(doc));
  ASSERT_EQ(again.span_groups().size(), 3u);
  for (const char* key : {"one", "two"}) {
    const SpanGroup* found = again.span_group(key);
    ASSERT_NE(found, nullptr) << key;
    EXPECT_EQ(found->name, "name");
    EXPECT_EQ(found->attrs, group.attrs);
    EXPECT_EQ(found->spans, group.spans);
  }
  ASSERT_NE(again.span_group("other"), nullptr);
  EXPECT_TRUE(again.span_group("other")->spans.empty());
}

TEST_F(SpanGroupsCodecTest, SpansAreFortyBytesWithOffsetsInCharacters) {
  Doc doc = four();
  doc.set_span_group("k", {"k", "", {{1, 3, 5}}});
  const std::string bytes = pack_span_groups(doc);
  const std::string span({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                          0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 7});
  EXPECT_NE(bytes.find("\xc4\x28" + span), bytes.npos);
}

TEST_F(SpanGroupsCodecTest, NothingIsAnEmptyList) {
  EXPECT_EQ(pack_span_groups(four()), "\x90");
  EXPECT_TRUE(unpacked("\x90").span_groups().empty());
  EXPECT_THROW(unpacked("\x90\x90"), Error) << "more follows";
  EXPECT_THROW(unpacked("\x80\x80"), Error);
  EXPECT_TRUE(unpacked("").span_groups().empty());
}

TEST_F(SpanGroupsCodecTest, SpansOutsideTheDocumentAreRefused) {
  const auto with_span = [](int start, int end) {
    std::string span(24, '\0');
    for (const int number : {start, end, 0, 0}) {
      for (int shift = 24; shift >= 0; shift -= 8) span += static_cast<char>(number >> shift & 255);
    }
    MsgpackWriter group;
    group.map(2);
    group.str("name");
    group.str("g");
    group.str("spans");
    group.array(1);
    group.bin(span);
    MsgpackWriter list;
    list.array(1);
    list.bin(group.bytes());
    return list.take();
  };
  EXPECT_EQ(unpacked(with_span(1, 4)).span_group("g")->spans.size(), 1u) << "the older layout";
  for (const auto& [start, end] : {std::pair(-1, 2), std::pair(0, 5), std::pair(3, 2)}) {
    try {
      unpacked(with_span(start, end));
      ADD_FAILURE() << start << " to " << end;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("in a document of 4"));
    }
  }
  const std::string whole = with_span(1, 4);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_THROW(unpacked(whole.substr(0, size)), Error) << size;
  }
}

TEST_F(SpanGroupsCodecTest, AKeyThatIsThereTwiceIsRefused) {
  const auto map = [](const char* second) {
    MsgpackWriter group;
    group.map(1), group.str("spans"), group.array(0);
    MsgpackWriter writer;
    writer.map(2);
    for (const char* key : {"a", second}) {
      writer.bin(group.bytes());
      writer.array(1);
      writer.str(key);
    }
    return writer.take();
  };
  Doc doc = four();
  ReadBudget budget("test", 0);
  EXPECT_NO_THROW(unpack_span_groups(map("b"), "test", budget, doc));
  EXPECT_EQ(doc.span_groups().size(), 2u);
  EXPECT_THROW(unpack_span_groups(map("a"), "test", budget, doc), Error);
}

}  // namespace
}  // namespace weft
