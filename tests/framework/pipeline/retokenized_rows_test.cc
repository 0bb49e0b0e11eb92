#include "framework/pipeline/retokenized_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/ops/context.h"
#include "framework/text/merge_tokens.h"
#include "framework/text/split_tokens.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;

const auto kVocab = std::make_shared<const Vocab>("en");

Doc words(const std::vector<std::string>& all) {
  return Doc::from_words(kVocab, all, {});
}

std::vector<std::int32_t> rows_of(const Doc& then, const Doc& now) {
  return rows_after(*then.tokens(), *now.tokens());
}

TEST(RetokenizedRows, TheLastOfJoinedTokensGivesItsRow) {
  const Doc then = words({"I", "like", "New", "York", "and", "San", "Francisco"});
  Doc now = then;
  merge_tokens(now, {{2, 4, 0}, {5, 7, 0}});
  EXPECT_THAT(rows_of(then, now), ElementsAre(0, 1, 3, 4, 6));
  EXPECT_THAT(rows_of(then, then), ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

TEST(RetokenizedRows, PiecesOfATokenHaveNone) {
  const Doc then = words({"ab", "abcdefgh", "cd"});
  Doc now = then;
  split_tokens(now, 5, 3);
  EXPECT_THAT(rows_of(then, now), ElementsAre(0, -1, -1, -1, 2));
}

TEST(RetokenizedRows, RowsOfADocumentStayItsOwn) {
  std::vector<Doc> docs = {words({"New", "York", "now"}), words({"then"})};
  const std::vector<const Doc*> all = {&docs[0], &docs[1]};
  const Tokenizations then = tokenizations_of(all);
  EXPECT_FALSE(are_retokenized(then, all));
  merge_tokens(docs[0], {{0, 2, 0}});
  ASSERT_TRUE(are_retokenized(then, all));
  Context ctx;
  ctx.pass().predict();
  const Ragged before{Tensor::from<float>({4, 1}, {1.0F, 2.0F, 3.0F, 4.0F}), {3, 1}};
  const Ragged after = retokenized_rows(ctx, before, then, all);
  EXPECT_THAT(after.lengths, ElementsAre(2, 1));
  ASSERT_EQ(after.data.dim(0), 3);
  EXPECT_EQ(after.data.data<float>()[0], 2.0F);
  EXPECT_EQ(after.data.data<float>()[1], 3.0F);
  EXPECT_EQ(after.data.data<float>()[2], 4.0F);
  EXPECT_THROW(are_retokenized(then, {&all[0], 1}), Error);
  EXPECT_FALSE(are_retokenized({}, all));
}

}  // namespace
}  // namespace weft
