// The defaults of a component that overrides nothing.
#include "framework/pipeline/component.h"

#include <any>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "registry/base/error.h"
#include "tests/framework/pipeline/one_weight_component.h"

namespace weft {
namespace {

using ::testing::HasSubstr;

class Bare final : public Component {
 public:
  void initialize(InitContext&) override {}
  void predict(Context&, std::span<Doc* const>, Slots&) const override {}
};

TEST(Component, WithoutModelsIsNotTrained) {
  EXPECT_FALSE(Bare().is_trainable());
  EXPECT_FALSE(Bare().scales_gradients());
  EXPECT_TRUE(testing::OneWeight().is_trainable());
}

TEST(Component, HasNoStateAndTakesNone) {
  Bare bare;
  bare.bind("bare", nullptr);
  EXPECT_FALSE(bare.has_state());
  EXPECT_TRUE(bare.training_state().is_null());
  EXPECT_NO_THROW(bare.set_training_state(nullptr));
  try {
    bare.set_training_state(Node(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_THAT(error.message(), HasSubstr("'bare'"));
  }
}

TEST(Component, HasNoLabelsAndTakesNone) {
  Bare bare;
  bare.bind("bare", nullptr);
  EXPECT_TRUE(bare.labels().empty());
  EXPECT_TRUE(bare.label_data().is_null());
  try {
    bare.add_label("ORG");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.message(), HasSubstr("'bare' takes no labels (got 'ORG')"));
  }
}

TEST(Component, IsRefusedOnSeveralRanksUnlessItSaysHowWhatItKeepsIsSent) {
  Bare bare;
  bare.bind("bare", nullptr);
  for (const auto& send : {std::function<void()>([&] { bare.pack_kept(std::any(1)); }),
                           std::function<void()>([&] { bare.unpack_kept(""); })}) {
    try {
      send();
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::config);
      EXPECT_THAT(error.message(),
                  HasSubstr("component 'bare' cannot be trained on several ranks"));
      EXPECT_THAT(error.message(), HasSubstr("Component::pack_kept"));
    }
  }
}

TEST(Component, IsCalledWhatItIsBoundAs) {
  Bare bare;
  const auto vocab = std::make_shared<const Vocab>();
  bare.bind("a name", vocab);
  EXPECT_EQ(bare.name(), "a name");
  EXPECT_EQ(&bare.vocab(), vocab.get());
}

}  // namespace
}  // namespace weft
