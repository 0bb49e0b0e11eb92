#include "framework/backends/cuda/device_stream.h"

#include <numeric>
#include <string>
#include <thread>

#include "framework/ops/elementwise.h"
#include "framework/ops/reduce.h"
#include "registry/base/error.h"
#include "tests/framework/backends/device_under_test.h"

namespace weft {
namespace {

using DeviceStreams = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, DeviceStreams, kDevices);

TEST_P(DeviceStreams, CopiesGoThereAndBack) {
  Stream& stream = device().stream();
  const std::vector<float> numbers{1, 2, 3, 4, 5};
  const std::size_t bytes = numbers.size() * sizeof(float);
  const Storage one = stream.allocate(bytes), other = stream.allocate(bytes);
  const auto staging = stream.pinned(bytes);
  std::copy(numbers.begin(), numbers.end(), static_cast<float*>(staging.get()));
  stream.copy(one.data, staging.get(), bytes, CopyKind::host_to_device);
  stream.copy(other.data, one.data, bytes, CopyKind::device_to_device);
  stream.zero(other.data, 2 * sizeof(float));
  std::vector<float> back(numbers.size());
  stream.copy(back.data(), other.data, bytes, CopyKind::device_to_host);
  stream.synchronize();
  EXPECT_EQ(back, (std::vector<float>{0, 0, 3, 4, 5}));
}

TEST_P(DeviceStreams, NothingIsCopiedForNoBytes) {
  Stream& stream = device().stream();
  stream.copy(nullptr, nullptr, 0, CopyKind::host_to_device);
  stream.zero(nullptr, 0);
  const Storage empty = stream.allocate(0);
  stream.synchronize();
}

TEST_P(DeviceStreams, MemoryIsAlignedAndOutlivesItsOwners) {
  Stream& stream = device().stream();
  std::vector<Storage> blocks;
  for (const std::size_t bytes : {1, 300, 4096, 1 << 22}) {
    blocks.push_back(stream.allocate(bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back().data) % 256, 0U) << bytes;
  }
  const std::size_t before = stream.allocated();
  blocks.pop_back();
  EXPECT_EQ(before - stream.allocated(), std::size_t{1} << 22);
}

TEST_P(DeviceStreams, TheBudgetHolds) {
  Stream& stream = device().stream();
  stream.set_budget(stream.allocated() + 1000);
  const Storage fits = stream.allocate(600);
  EXPECT_THROW(stream.allocate(600), Error);
  stream.set_budget(0);
  const Storage fits_now = stream.allocate(600);
}

// More than the memory that copies of small arrays pass through, and several times in a row.
TEST_P(DeviceStreams, StagedArraysMayBeLargeAndMany) {
  Bench bench(device());
  for (const std::int64_t count : {3, 100000, 300000}) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(count), 1);
    Tensor numbers = Tensor::zeros({count, 1});
    std::iota(numbers.data<float>(), numbers.data<float>() + count, 0.0F);
    const View x = bench.put(numbers), y = bench.put(Tensor::zeros({count, 1}));
    for (int run = 0; run < 3; ++run) {
      bench.run<PoolForward>(Pool::sum, x, lengths, y, View());
      std::fill(lengths.begin(), lengths.end(), 0);  // the kernel has its copy
      std::fill(lengths.begin(), lengths.end(), 1);
    }
    const Tensor sums = bench.get(y);
    for (std::int64_t i = 0; i < count; i += 997) {
      ASSERT_EQ(sums.data<float>()[i], static_cast<float>(i));
    }
  }
}

// Several threads queue work on one stream.
TEST_P(DeviceStreams, ThreadsShareAStream) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      Bench bench(device());
      const Tensor numbers = random_numbers({50, 33}, t);
      for (int run = 0; run < 20; ++run) {
        const View x = bench.put(numbers);
        bench.run<AddInPlace>(x, bench.put(numbers));
        const Tensor doubled = bench.get(x);
        for (std::int64_t i = 0; i < doubled.size(); ++i) {
          wrong[t] += doubled.data<float>()[i] != 2.0F * numbers.data<float>()[i];
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST_P(DeviceStreams, KernelsRefuseNumbersThatAreNotFloating) {
  Bench bench(device());
  const View rows = bench.put(random_rows({3, 3}, 1, 9)), y = bench.put(Tensor::zeros({3, 3}));
  EXPECT_THROW(bench.run<Scale>(rows, 2.0F, y), Error);
}

// The checks that make the emulated device worth running tests on.
class EmulatedDevice : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(Devices, EmulatedDevice, testing::Values("emulated"));

TEST_P(EmulatedDevice, TheHostCannotTouchItsMemory) {
  const Storage block = device().stream().allocate(64);
  auto* number = static_cast<volatile float*>(block.data);
  EXPECT_DEATH(*number = 1.0F, "");
  EXPECT_DEATH(static_cast<void>(*number), "");
}

TEST_P(EmulatedDevice, AKernelThatWritesBeyondAnArrayEndsTheProcess) {
  const auto overrun = [&] {
    Bench bench(device());
    const View y = bench.put(Tensor::zeros({64}));
    const View longer(y.data, y.dtype, {65});
    bench.run<Scale>(bench.put(Tensor::zeros({65})), 1.0F, longer);
  };
  EXPECT_DEATH(overrun(), "beyond the end of an array");
}

TEST(CudaLibrary, SaysInOneLineWhyThereIsNoDevice) {
  std::string why_none;
  if (DeviceUnderTest::find("cuda", why_none) != nullptr) GTEST_SKIP() << "there is one";
  EXPECT_FALSE(why_none.empty());
  EXPECT_EQ(why_none.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace weft
