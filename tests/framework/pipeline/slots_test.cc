#include "framework/pipeline/slots.h"

#include <gtest/gtest.h>

#include "framework/ops/context.h"

namespace weft {
namespace {

float first(const Value& value) {
  return std::get<Tensor>(value).data<float>()[0];
}

TEST(SlotsTest, GradientsOfAllListenersAreAddedAndRunOnceLatestFirst) {
  Context ctx;
  Slots slots(ctx);
  std::string calls;
  const auto record = [&](const char* name) {
    return [&calls, name](const Value& gradient) {
      calls += name + std::to_string(static_cast<int>(first(gradient))) + " ";
    };
  };
  slots.publish("a", {Tensor::from<float>({1}, {1.0F}), {}}, record("a"));
  slots.publish("b", {Tensor::from<float>({1}, {2.0F}), {}}, record("b"));
  slots.publish("c", {Tensor::from<float>({1}, {3.0F}), {}}, record("c"));
  const Tensor gradient = Tensor::from<float>({1}, {5.0F});
  slots.add_gradient("a", gradient);
  slots.add_gradient("a", Tensor::from<float>({1}, {2.0F}));
  slots.add_gradient("b", gradient);
  slots.run_backward();
  EXPECT_EQ(calls, "b5 a7 ");
  EXPECT_EQ(gradient.data<float>()[0], 5.0F);
}

TEST(SlotsTest, TheGradientOfEachListenerIsHeard) {
  Context ctx;
  Slots slots(ctx);
  std::string heard;
  const auto hear = [&](const Value& gradient) {
    heard += std::to_string(static_cast<int>(first(gradient))) + " ";
  };
  slots.publish(
      "a", {Tensor::from<float>({1}, {1.0F}), {}}, [](const Value&) {}, hear);
  slots.publish("b", {Tensor::from<float>({1}, {1.0F}), {}}, {}, hear);
  slots.add_gradient("a", Tensor::from<float>({1}, {5.0F}));
  slots.add_gradient("a", Tensor::from<float>({1}, {2.0F}));
  slots.add_gradient("b", Tensor::from<float>({1}, {9.0F}));  // nothing trains it
  slots.run_backward();
  EXPECT_EQ(heard, "5 2 ");
}

TEST(SlotsTest, AStarIsTheLatestOutput) {
  Context ctx;
  Slots slots(ctx);
  EXPECT_EQ(slots.output("*"), nullptr);
  slots.publish("a", {Tensor::from<float>({1}, {1.0F}), {}});
  slots.publish("b", {Tensor::from<float>({1}, {2.0F}), {}});
  EXPECT_EQ(first(slots.output("*")->rows), 2.0F);
  EXPECT_EQ(first(slots.output("a")->rows), 1.0F);
  EXPECT_EQ(slots.output("x"), nullptr);
  slots.add_gradient("a", Tensor::from<float>({1}, {1.0F}));  // nothing trains it
  slots.run_backward();
}

}  // namespace
}  // namespace weft
