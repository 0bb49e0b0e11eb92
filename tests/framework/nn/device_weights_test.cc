#include "framework/nn/device_weights.h"

#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/weight_copies.h"
#include "framework/ops/context.h"
#include "registry/base/error.h"
#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

class DeviceWeightsTest : public ::testing::Test {
 protected:
  DeviceWeightsTest() { ctx_.use(&weights_); }
  void send() {
    Parameter* const all[] = {&first_, &second_, &first_, &empty_};
    weights_.refresh(all);
  }
  float there(const Parameter& parameter, std::int64_t i) {
    const Tensor copy = weights_.resident(parameter.value);
    EXPECT_EQ(copy.device().kind, DeviceKind::cuda);
    return ctx_.on_host(copy).data<float>()[i];
  }

  testing::FakeDevice device_;
  std::shared_ptr<Stream> stream_ = make_stream({DeviceKind::cuda, 0});
  DeviceWeights weights_{stream_};
  Context ctx_{stream_};
  Parameter first_{"W", Tensor::from<float>({2, 2}, {1, 2, 3, 4})};
  Parameter second_{"b", Tensor::from<float>({2}, {5, 6})};
  Parameter empty_{"none", {}};
};

TEST_F(DeviceWeightsTest, OpsGetTheCopyWhereverInAWeightAViewBegins) {
  send();
  Tensor y = ctx_.empty({1, 2});
  ctx_.run<CopyRows>(first_.value.rows(1, 2), y.view());
  EXPECT_EQ(ctx_.on_host(y).data<float>()[1], 4.0F);
  const Tensor other = Tensor::zeros({2});
  EXPECT_EQ(weights_.resident(other).cview().data, other.cview().data);
}

TEST_F(DeviceWeightsTest, OnlyWhatChangedIsSent) {
  send();
  second_.value.data<float>()[0] = 50;  // without a version: nobody can know
  first_.value.data<float>()[0] = 10;
  ++first_.version;
  send();
  EXPECT_EQ(there(first_, 0), 10.0F);
  EXPECT_EQ(there(second_, 0), 5.0F);
  second_.value = Tensor::from<float>({3}, {7, 8, 9});  // another array needs none
  send();
  EXPECT_EQ(there(second_, 2), 9.0F);
}

// Copies in 16 bits: those of a device may never have been made, where it gave up its work.
TEST_F(DeviceWeightsTest, LowCopiesThatAreForgottenAreMadeAnew) {
  send();
  WeightCopies low(DType::f16);
  low.track(first_, "layer.W");
  low.track(second_, "layer.b");
  low.find(first_.value.cview().data, &ctx_);
  low.find(second_.value.cview().data);  // on the host
  low.forget_made();
  low.find(first_.value.cview().data, &ctx_);
  low.find(second_.value.cview().data);
  EXPECT_EQ(low.casts(), 3);
}

// The copies that were there stay whose they are.
TEST_F(DeviceWeightsTest, MemoryThatRunsOutTakesNoCopyAway) {
  send();
  const std::size_t before = stream_->allocated();
  second_.value = Tensor::from<float>({4}, {7, 8, 9, 10});
  stream_->set_budget(before + 1);
  EXPECT_THROW(send(), Error);
  EXPECT_EQ(stream_->allocated(), before);
  stream_->set_budget(0);
  send();
  EXPECT_EQ(there(first_, 3), 4.0F);
  EXPECT_EQ(there(second_, 3), 10.0F);
  EXPECT_EQ(stream_->allocated(), first_.value.bytes() + second_.value.bytes());
}

TEST_F(DeviceWeightsTest, WhatTheDeviceWritesComesBack) {
  send();
  const auto version = first_.version;
  Tensor& copy = weights_.written(first_);
  kernel_of<Scale>(DeviceKind::cuda)(*stream_, copy, 2.0F, copy.view());
  EXPECT_TRUE(weights_.is_ahead());
  EXPECT_EQ(first_.version, version + 1);
  EXPECT_EQ(first_.value.data<float>()[3], 4.0F);
  weights_.fetch();
  EXPECT_EQ(first_.value.data<float>()[3], 8.0F);
  EXPECT_FALSE(weights_.is_ahead());
  send();
  EXPECT_EQ(there(first_, 3), 8.0F);
}

TEST_F(DeviceWeightsTest, AWeightThatBothSidesChangeIsAnError) {
  send();
  weights_.written(first_);
  ++first_.version;
  EXPECT_THROW(send(), Error);
}

TEST_F(DeviceWeightsTest, AWeightThatIsNotThereCannotBeWritten) {
  EXPECT_THROW(weights_.written(first_), Error);
}

}  // namespace
}  // namespace weft
