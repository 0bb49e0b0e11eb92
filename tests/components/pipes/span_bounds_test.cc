// First and last tokens of spans on other tokens, and spans between them.
#include "components/pipes/span_bounds.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/tensor/tensor.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using Ranges = std::vector<TokenRange>;
constexpr float kMasked = kMaskedBound;

std::vector<float> bounds_of(std::initializer_list<std::string_view> words,
                             std::initializer_list<bool> spaces, std::vector<Span> spans) {
  const auto vocab = std::make_shared<Vocab>("en");
  Doc reference = Doc::from_words(vocab, {"New", "York", "-", "based", "Ötzi"},
                                  {true, false, false, true, false});
  reference.set_span_group("sc", {"sc", {}, std::move(spans)});
  const Example example(Doc::from_words(vocab, words, spaces), std::move(reference));
  return span_bounds(example, "sc");
}

TEST(SpanBounds, AreOneWhereSpansStartAndEnd) {
  EXPECT_EQ(bounds_of({"New", "York", "-", "based", "Ötzi"}, {true, false, false, true, false},
                      {{0, 2}, {1, 2}, {4, 5}}),
            (std::vector<float>{1, 0, 1, 1, 0, 0, 0, 0, 1, 1}));
}

TEST(SpanBounds, AreMaskedWhereATokenGoesOnBeyondTheSpan) {
  EXPECT_EQ(bounds_of({"New", "York-based", "Ötzi"}, {true, true, false}, {{0, 2}, {3, 5}}),
            (std::vector<float>{1, 0, kMasked, kMasked, 0, 1}));
}

TEST(SpanBounds, OfSpansWithoutTokensThereAreNone) {
  EXPECT_EQ(bounds_of({"New", "York-based", "Ötzi"}, {true, true, false}, {{1, 1}}),
            (std::vector<float>(6, 0)));
}

TEST(SpanBounds, AnotherTextIsRefused) {
  EXPECT_THROW(bounds_of({"new", "York-based", "Ötzi"}, {true, true, false}, {}), Error);
}

TEST(SpanBounds, MakeSpansOfEveryStartAndEnd) {
  const Tensor scores =
      Tensor::from<float>({4, 2}, {0.9F, 0.1F, 0.5F, 0.5F, 0.2F, 0.9F, 0.1F, 0.6F});
  const auto found = [&](const SpanBounds& bounds) {
    return spans_between(scores.cview(), bounds);
  };
  EXPECT_EQ(found({}), (Ranges{{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}}));
  EXPECT_EQ(found({.min_length = 2, .max_length = 3}), (Ranges{{0, 2}, {0, 3}, {1, 3}, {1, 4}}));
  EXPECT_EQ(found({.threshold = 0.6}), (Ranges{{0, 3}, {0, 4}}));
  EXPECT_EQ(found({.min_length = 3, .max_length = 2}), Ranges());
}

TEST(SpanBounds, MoreSpansThanAreAllowedAreRefused) {
  Tensor scores = Tensor::zeros({2000, 2});
  std::fill_n(scores.data<float>(), scores.size(), 1.0F);
  EXPECT_THROW(spans_between(scores.cview(), {}), Error);
  EXPECT_EQ(spans_between(scores.cview(), {.max_length = 2}).size(), 3999U);
}

}  // namespace
}  // namespace weft
