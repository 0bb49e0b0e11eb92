// The numbers of docs/training.md, "Rehearsal", by hand.
#include "framework/pipeline/rehearsal_loss.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/tensor/tensor.h"
#include "registry/base/error.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;

Tensor table(std::int64_t rows, std::int64_t cols, const std::vector<float>& numbers) {
  Tensor made = Tensor::zeros({rows, cols});
  for (std::size_t i = 0; i < numbers.size(); ++i) made.data<float>()[i] = numbers[i];
  return made;
}

std::vector<float> numbers_of(const Tensor& tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.size()};
}

TEST(RehearsalLoss, ADifferenceIsDividedAndItsSquaresAreSummedUp) {
  const Tensor found = table(2, 2, {1.0F, 4.0F, -2.0F, 0.5F});
  const Tensor wanted = table(2, 2, {0.0F, 2.0F, -2.0F, 1.0F});
  Tensor d = table(2, 2, {9.0F, 9.0F, 9.0F, 9.0F});
  EXPECT_DOUBLE_EQ(rehearsal_difference(found.view(), wanted.view(), 2.0, d.view()),
                   0.25 + 1.0 + 0.0625);
  EXPECT_THAT(numbers_of(d), ElementsAre(0.5F, 1.0F, 0.0F, -0.25F));
}

// Classes that the tutor lacks pull at nothing; probabilities are shares among the others.
TEST(RehearsalLoss, ClassesThatTheTutorLacksHaveNoGradient) {
  const Tensor found = table(1, 3, {0.2F, 0.6F, 0.2F});
  const Tensor wanted = table(1, 2, {0.5F, 0.5F});
  Tensor d = table(1, 3, {9.0F, 9.0F, 9.0F});
  EXPECT_NEAR(rehearsal_loss(found.view(), wanted.view(), 1.0, d.view()), 0.125, 1e-6);
  EXPECT_THAT(numbers_of(d), ElementsAre(FloatNear(-0.25F, 1e-6F), FloatNear(0.25F, 1e-6F), 0.0F));
  EXPECT_NEAR(rehearsal_difference(found.view(), wanted.view(), 1.0, d.view()), 0.1, 1e-6);
  EXPECT_THAT(numbers_of(d), ElementsAre(FloatNear(-0.3F, 1e-6F), FloatNear(0.1F, 1e-6F), 0.0F));
}

TEST(RehearsalLoss, ATutorThatKnowsMoreThanItsComponentIsAnError) {
  const Tensor found = table(1, 2, {0.5F, 0.5F});
  const Tensor wanted = table(1, 3, {0.2F, 0.6F, 0.2F});
  Tensor d = table(1, 2, {0.0F, 0.0F});
  EXPECT_THROW(rehearsal_loss(found.view(), wanted.view(), 1.0, d.view()), Error);
}

}  // namespace
}  // namespace weft
