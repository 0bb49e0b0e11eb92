#include "framework/tensor/stream.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/nn/gradients.h"
#include "framework/ops/context.h"
#include "registry/base/error.h"
#include "tests/framework/devices/fake_device.h"

namespace weft {
namespace {

TEST(Stream, CountsWhatIsInUseAndAtMost) {
  Stream stream;
  {
    const Storage first = stream.allocate(100), second = stream.allocate(50);
    EXPECT_EQ(stream.allocated(), 150u);
    EXPECT_EQ(first.device, Device());
  }
  EXPECT_EQ(stream.allocated(), 0u);
  EXPECT_EQ(stream.peak(), 150u);
}

TEST(Stream, TheBudgetIsKeptAndGivenBackMemoryCountsNoMore) {
  Stream stream;
  stream.set_budget(100);
  Storage held = stream.allocate(80);
  EXPECT_THROW(stream.allocate(21), Error);
  EXPECT_NO_THROW(stream.allocate(20));
  held = {};
  EXPECT_NO_THROW(stream.allocate(100));
  EXPECT_THROW(stream.allocate(101), Error);
}

TEST(Stream, MemoryMayOutliveIt) {
  Storage kept;
  {
    Stream stream;
    kept = stream.allocate(10);
  }
  auto* bytes = static_cast<char*>(kept.data);
  std::fill_n(bytes, 10, 'a');
  const std::vector<char> others(10, 'b');  // would take the place of memory that is free
  EXPECT_EQ(std::string(bytes, 10), std::string(10, 'a'));
}

class DeviceContext : public ::testing::Test {
 protected:
  testing::FakeDevice device_;
  Context ctx_{Device{DeviceKind::cuda, 0}};
};

TEST_F(DeviceContext, ArraysGoThereAndBack) {
  Tensor filled = ctx_.host_array({2, 2});
  for (int i = 0; i < 4; ++i) filled.data<float>()[i] = static_cast<float>(i);
  const Tensor there = ctx_.placed(filled);
  EXPECT_EQ(there.device(), ctx_.device());
  EXPECT_EQ(ctx_.placed(there).cview().data, there.cview().data);
  Tensor copy = ctx_.empty({2, 2});
  ctx_.copy(there, copy);
  const Tensor back = ctx_.on_host(copy);
  EXPECT_EQ(back.data<float>()[3], 3.0F);
  EXPECT_EQ(ctx_.on_host(back).cview().data, back.cview().data);
}

TEST_F(DeviceContext, CastsRoundThere) {
  const Tensor from = ctx_.placed(Tensor::from<float>({2}, {1.0F, 1.0F + 0x1p-12F}));
  Tensor narrow = ctx_.empty({2}, DType::f16), wide = ctx_.zeros({2});
  ctx_.cast(from, narrow.view());
  ctx_.cast(narrow, wide.view());
  EXPECT_EQ(ctx_.on_host(wide).data<float>()[1], 1.0F);
}

TEST_F(DeviceContext, MasksAreThoseOfTheCpu) {
  Context cpu;
  CounterMasks masks(7, 3);
  Gradients on_cpu, there(std::shared_ptr<Stream>(device_.make_stream(0)));
  cpu.pass().train(0.3, on_cpu, masks);
  ctx_.pass().train(0.3, there, masks);
  const std::vector<std::int64_t> offsets = {5, 1000, 77};
  const Tensor one = cpu.dropout_mask("site", {3, 50}, 0.3, 17);
  const Tensor other = ctx_.on_host(ctx_.dropout_mask("site", {3, 50}, 0.3, 17));
  const Tensor rows = cpu.dropout_mask_rows("site", offsets, 20, 0.3);
  const Tensor others = ctx_.on_host(ctx_.dropout_mask_rows("site", offsets, 20, 0.3));
  for (int i = 0; i < 150; ++i) EXPECT_EQ(one.data<float>()[i], other.data<float>()[i]);
  for (int i = 0; i < 60; ++i) EXPECT_EQ(rows.data<float>()[i], others.data<float>()[i]);
}

TEST_F(DeviceContext, AStepBeyondTheBudgetIsAnErrorOfMemory) {
  ctx_.stream().set_budget(std::size_t{3} << 20);
  EXPECT_NO_THROW(ctx_.empty({1000}));
  EXPECT_NO_THROW(ctx_.empty({std::int64_t{1} << 18}));  // no more than that is taken
  EXPECT_THROW(ctx_.empty({std::int64_t{1} << 19}), Error);
}

}  // namespace
}  // namespace weft
