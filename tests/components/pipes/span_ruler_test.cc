// span_ruler: the group and the entities that it leaves in a document with some already.
#include "components/pipes/span_ruler.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/pipeline/slots.h"
#include "registry/base/error.h"
#include "registry/value/json.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

SpanRulerSettings into_group(const std::string& key, bool overwrite) {
  SpanRulerSettings settings;
  settings.spans_key = key;
  settings.overwrite = overwrite;
  return settings;
}

class SpanRulerTest : public ::testing::Test {
 protected:
  // The document after a ruler with the pattern "A" for the word hello.
  void run(SpanRulerSettings settings) {
    SpanRuler ruler(std::move(settings));
    ruler.bind("span_ruler", vocab_);
    ruler.add_patterns(
        parse_json(R"([{"label": "A", "pattern": [{"LOWER": "hello"}]}])")->as_list());
    Context ctx;
    Slots slots(ctx);
    Doc* const docs[] = {&doc_};
    ruler.predict(ctx, docs, slots);
  }
  StringId id(std::string_view text) { return vocab_->strings().add(text); }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
  Doc doc_ = Doc::from_words(vocab_, {"Hello", "you"}, {});
};

TEST_F(SpanRulerTest, AGroupThatIsThereIsExtended) {
  doc_.set_span_group("k", {"other", "\x81\xa1x\x01", {{1, 2, id("B")}}});
  run(into_group("k", false));
  const SpanGroup& group = *doc_.span_group("k");
  EXPECT_EQ(group.name, "other");
  EXPECT_EQ(group.attrs, "\x81\xa1x\x01");
  EXPECT_EQ(group.spans.size(), 2U);
  run(into_group("k", true));
  EXPECT_EQ(doc_.span_group("k")->name, "k");
  EXPECT_EQ(doc_.span_group("k")->spans.size(), 1U);
}

TEST_F(SpanRulerTest, AnEmptyKeyWritesNoGroup) {
  run(into_group("", true));
  EXPECT_EQ(doc_.span_group(""), nullptr);
}

TEST_F(SpanRulerTest, AnEntityWithoutAnIdLeavesTheTokensOwn) {
  Span before{0, 1, id("X")};
  before.id = id("id9");
  doc_.set_ents(std::vector<Span>{before});
  SpanRulerSettings settings;
  settings.annotate_ents = true;
  run(std::move(settings));
  EXPECT_EQ(doc_.ent_type(0), id("A"));
  EXPECT_EQ(doc_.value(Attr::ent_id, 0), id("id9"));
}

// A document has no line any more: its text tells which of many it is.
TEST_F(SpanRulerTest, ADocumentThatTakesTooLongIsNamedByItsText) {
  SpanRuler ruler(SpanRulerSettings{});
  ruler.bind("span_ruler", vocab_);
  ruler.add_patterns(parse_json(R"([{"label": "A", "pattern": [{"OP": "+"}]}])")->as_list());
  Doc long_doc = Doc::from_words(vocab_, std::vector<std::string>(5000, "a\tb"), {});
  Context ctx;
  Slots slots(ctx);
  Doc* const docs[] = {&doc_, &long_doc};
  try {
    ruler.predict(ctx, docs, slots);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("span_ruler: the patterns of \"A\" give up"));
    EXPECT_THAT(error.what(), HasSubstr("; in the document \"a\\u{9}b a"));
    EXPECT_LT(std::string(error.what()).size(), 800U);
  }
}

TEST_F(SpanRulerTest, APatternIsATextOrAList) {
  SpanRuler ruler(SpanRulerSettings{});
  ruler.bind("span_ruler", vocab_);
  for (const std::string pattern : {"null", "5", "{\"LOWER\": \"hello\"}"}) {
    SCOPED_TRACE(pattern);
    try {
      ruler.add_patterns(
          parse_json("[{\"label\": \"A\", \"pattern\": " + pattern + "}]")->as_list());
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("neither a text nor a list of tokens"));
    }
  }
}

}  // namespace
}  // namespace weft
