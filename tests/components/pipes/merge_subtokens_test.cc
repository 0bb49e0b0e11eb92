// merge_subtokens: what it merges, and documents that no parser has seen.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/pipeline/slots.h"
#include "framework/text/doc.h"
#include "registry/base/error.h"
#include "tests/components/pipes/made_component.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

class MergeSubtokens : public ::testing::Test {
 protected:
  void change(Doc& doc) {
    Object block;
    block.set("factory", "merge_subtokens");
    const ComponentPtr component = made_component(std::move(block));
    component->bind("merge_subtokens", vocab_);
    Context ctx;
    Slots slots(ctx);
    Doc* const docs[] = {&doc};
    component->predict(ctx, docs, slots);
  }

  std::shared_ptr<const Vocab> vocab_ = std::make_shared<Vocab>("en");
};

TEST_F(MergeSubtokens, PartsBecomeOne) {
  Doc doc = Doc::from_words(vocab_, {"can", "not", "go"}, {false, true, false});
  StringStore& strings = vocab_->strings();
  doc.set_heads({1, 1, 0});
  doc.set_column(Attr::dep, {strings.add("subtok"), strings.add("neg"), strings.add("ROOT")});
  change(doc);
  ASSERT_EQ(doc.size(), 2);
  EXPECT_EQ(doc.word(0), "cannot");
}

TEST_F(MergeSubtokens, ADocumentWithoutAParseIsAnError) {
  Doc doc = Doc::from_words(vocab_, {"can", "not"}, {false, false});
  try {
    change(doc);
    FAIL() << "nothing was parsed";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("put a parser before merge_subtokens"));
  }
  Doc empty = Doc::from_words(vocab_, {}, {});
  EXPECT_NO_THROW(change(empty));
}

}  // namespace
}  // namespace weft
