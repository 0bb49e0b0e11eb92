#include "framework/pipeline/language.h"

#include <memory>

#include <gtest/gtest.h>

#include "tests/framework/nn/waiting_rows.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

TEST(Language, BringsRowsThatWaitedToThoseWhoLookAtWeights) {
  Language nlp(Config(), testing::plain_settings());
  auto component = std::make_shared<testing::OneWeight>();
  Parameter& weight = component->model().param("W");
  weight.deferred =
      std::make_shared<testing::WaitingRows>(weight, Tensor::from<float>({1}, {8.0F}));
  nlp.add({"one", component});
  EXPECT_EQ(weight.value.data<float>()[0], 0.0F);
  nlp.copy_weights_to_host();
  EXPECT_EQ(weight.value.data<float>()[0], 8.0F);
}

}  // namespace
}  // namespace weft
