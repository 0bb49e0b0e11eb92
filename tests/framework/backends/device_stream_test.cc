#include "framework/backends/cuda/device_stream.h"

#include <chrono>
#include <numeric>
#include <string>
#include <thread>

#include "framework/ops/elementwise.h"
#include "framework/ops/gemm.h"
#include "framework/ops/reduce.h"
#include "registry/base/error.h"
#include "tests/framework/backends/device_under_test.h"
#include "tests/framework/devices/device_library.h"

namespace weft {
namespace {

using DeviceStreams = DeviceTest;
INSTANTIATE_TEST_SUITE_P(Devices, DeviceStreams, kDevices, device_name);

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
  const std::size_t before = stream.allocated();
  EXPECT_NO_THROW(stream.copy(nullptr, nullptr, 0, CopyKind::host_to_device));
  EXPECT_NO_THROW(stream.zero(nullptr, 0));
  const Storage empty = stream.allocate(0);
  EXPECT_EQ(stream.allocated(), before);
  EXPECT_NO_THROW(stream.synchronize());
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

TEST_P(DeviceStreams, MarksTellTheTimeOfWhatWasQueuedBetweenThem) {
  Stream& stream = device().stream();
  Bench bench(device());
  const View x = bench.put(random_numbers({2000, 300}, 1));
  const Stream::Mark begin = stream.mark();
  bench.run<Scale>(x, 2.0F, x);
  const Stream::Mark middle = stream.mark();
  for (int run = 0; run < 20; ++run) bench.run<Scale>(x, 1.0F, x);
  const Stream::Mark end = stream.mark();
  const double once = stream.seconds_between(begin, middle),
               often = stream.seconds_between(middle, end);
  EXPECT_GT(once, 0.0);
  EXPECT_NEAR(stream.seconds_between(begin, end), once + often, 1e-5 + 0.01 * often);
  EXPECT_LT(stream.seconds_between(begin, end), 60.0);
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
INSTANTIATE_TEST_SUITE_P(Devices, EmulatedDevice, testing::Values("emulated"), device_name);

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

// Numbers in page-locked memory of a stream.
float* pinned_numbers(const std::shared_ptr<void>& memory, float first, int count) {
  auto* numbers = static_cast<float*>(memory.get());
  std::iota(numbers, numbers + count, first);
  return numbers;
}

std::vector<float> read_back(Stream& stream, const void* from, std::size_t count) {
  std::vector<float> numbers(count);
  stream.copy(numbers.data(), from, count * sizeof(float), CopyKind::device_to_host);
  stream.synchronize();
  return numbers;
}

TEST_P(EmulatedDevice, SmallCopiesFromPinnedMemoryAreOneKernel) {
  Stream& stream = device().stream();
  stream.synchronize();
  const auto library = device_tests::device_library("emulated");
  const auto memory = stream.pinned(4000);
  const float* numbers = pinned_numbers(memory, 1.0F, 1000);
  std::vector<Storage> arrays;
  for (int i = 0; i < 3; ++i) arrays.push_back(stream.allocate(1200));
  const std::int64_t kernels = device_tests::queued_count(library, "kernels"),
                     copies = device_tests::queued_count(library, "copies");
  // Of odd sizes, from places that are not aligned.
  stream.copy(arrays[0].data, numbers, 1200, CopyKind::host_to_device);
  stream.copy(arrays[1].data, numbers + 1, 7, CopyKind::host_to_device);
  stream.copy(arrays[2].data, numbers + 700, 1199, CopyKind::host_to_device);
  EXPECT_EQ(read_back(stream, arrays[0].data, 300), std::vector<float>(numbers, numbers + 300));
  EXPECT_EQ(read_back(stream, arrays[1].data, 1).front(), numbers[1]);
  EXPECT_EQ(read_back(stream, arrays[2].data, 299),
            std::vector<float>(numbers + 700, numbers + 999));
  EXPECT_EQ(device_tests::queued_count(library, "kernels") - kernels, 1);
  EXPECT_EQ(device_tests::queued_count(library, "copies") - copies, 3);  // those that read
}

TEST_P(EmulatedDevice, CopiesToOnePlaceKeepTheirOrder) {
  Stream& stream = device().stream();
  const auto memory = stream.pinned(800);
  const float* numbers = pinned_numbers(memory, 1.0F, 200);
  const Storage array = stream.allocate(400);
  for (int run = 0; run < 20; ++run) {  // launches go through their blocks in either direction
    stream.copy(array.data, numbers, 400, CopyKind::host_to_device);
    stream.copy(static_cast<char*>(array.data) + 40, numbers + 100, 40, CopyKind::host_to_device);
    EXPECT_EQ(read_back(stream, array.data, 12).back(), 102.0F);
  }
}

TEST_P(EmulatedDevice, NothingIsCopiedToMemoryThatWasGivenBack) {
  Stream& stream = device().stream();
  const auto memory = stream.pinned(256);
  const float* numbers = pinned_numbers(memory, 1.0F, 64);
  {
    const Storage gone = stream.allocate(256);
    stream.copy(gone.data, numbers, 256, CopyKind::host_to_device);
  }
  const Storage taken = stream.allocate(256);
  stream.zero(taken.data, 256);
  EXPECT_EQ(read_back(stream, taken.data, 64), std::vector<float>(64, 0.0F));
}

// Large ones are for the device's copy engines, and other memory no kernel can read.
TEST_P(EmulatedDevice, OtherCopiesGoAlone) {
  Stream& stream = device().stream();
  const auto library = device_tests::device_library("emulated");
  constexpr std::size_t kLarge = std::size_t{256} << 10;
  const auto memory = stream.pinned(kLarge);
  std::vector<float> pageable(64, 3.0F);
  const Storage one = stream.allocate(kLarge), other = stream.allocate(256);
  const std::int64_t copies = device_tests::queued_count(library, "copies");
  stream.copy(one.data, pinned_numbers(memory, 1.0F, 100), kLarge, CopyKind::host_to_device);
  stream.copy(other.data, pageable.data(), 256, CopyKind::host_to_device);
  EXPECT_EQ(device_tests::queued_count(library, "copies") - copies, 2);
  EXPECT_EQ(read_back(stream, other.data, 64), pageable);
}

TEST_P(EmulatedDevice, MemoryIsUsedAgainAndNothingIsWaitedForTwice) {
  Stream& stream = device().stream();
  const auto library = device_tests::device_library("emulated");
  for (const std::size_t bytes : {100, 5000, 1 << 21}) static_cast<void>(stream.allocate(bytes));
  const std::int64_t allocations = device_tests::queued_count(library, "allocations");
  for (const std::size_t bytes : {90, 4900, (1 << 21) - 1}) {
    const Storage again = stream.allocate(bytes);
    stream.zero(again.data, bytes);
  }
  EXPECT_EQ(device_tests::queued_count(library, "allocations"), allocations);
  const std::int64_t waits = device_tests::queued_count(library, "waits");
  for (int i = 0; i < 3; ++i) stream.synchronize();
  EXPECT_EQ(device_tests::queued_count(library, "waits") - waits, 1);
}

// A wait of another thread that goes on yet is none for this one.
TEST_P(EmulatedDevice, EachThreadWaitsForWhatItQueued) {
  Stream& stream = device().stream();
  const auto library = device_tests::device_library("emulated");
  const auto hold = device_tests::device_function<void(int)>(library, "weft_emulated_hold");
  ASSERT_NE(hold, nullptr);
  const Storage array = stream.allocate(256);
  stream.synchronize();
  const std::int64_t before = device_tests::queued_count(library, "waits");
  const auto waits = [&] { return device_tests::queued_count(library, "waits") - before; };
  hold(1);
  stream.zero(array.data, 256);
  std::vector<std::thread> threads;
  for (std::int64_t t = 1; t <= 2; ++t) {
    threads.emplace_back([&] { stream.synchronize(); });
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (waits() < t && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    EXPECT_EQ(waits(), t);
  }
  hold(0);
  for (std::thread& thread : threads) thread.join();
  stream.synchronize();
  EXPECT_EQ(waits(), 2);
}

TEST_P(EmulatedDevice, WhatIsQueuedIsCounted) {
  const auto library = device_tests::device_library("emulated");
  const auto total = [&](const char* name) { return device_tests::queued_count(library, name); };
  const std::vector<const char*> names{"kernels", "memsets",       "copies",    "allocations",
                                       "waits",   "library_gemms", "tile_gemms"};
  std::vector<std::int64_t> before, grown;
  for (const char* name : names) before.push_back(total(name));
  Stream& stream = device().stream();
  const Storage memory = stream.allocate(std::size_t{70} << 20);  // more than was ever given back
  stream.zero(memory.data, 96 * 96 * sizeof(float));
  const View square(memory.data, DType::f32, {96, 96}), odd(memory.data, DType::f16, {7, 7});
  Bench bench(device());
  bench.run<Gemm>(square, Transpose::no, square, Transpose::no, square, 0.0F);
  bench.run<Gemm>(odd, Transpose::no, odd, Transpose::no, odd, 0.0F);
  bench.run<Scale>(square, 2.0F, square);
  std::vector<float> back(96 * 96);
  stream.copy(back.data(), memory.data, back.size() * sizeof(float), CopyKind::device_to_host);
  stream.synchronize();
  for (std::size_t i = 0; i < names.size(); ++i) grown.push_back(total(names[i]) - before[i]);
  // The GEMM that the library refuses is a kernel too.
  EXPECT_EQ(grown, (std::vector<std::int64_t>{2, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(total("nothing"), -1);
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST_P(EmulatedDevice, AGemmThatTheLibraryHasToTakeIsAnErrorWhereStrict) {
  Bench bench(device());
  const View x = bench.put(Tensor::zeros({64, 96})), w = bench.put(Tensor::zeros({96, 32}));
  const View y = bench.put(Tensor::zeros({64, 32}));
  const View odd = bench.put(Tensor::zeros({7, 7}, DType::f16));
  const auto run = [&] { bench.run<Gemm>(x, Transpose::no, w, Transpose::no, y, 0.0F); };
  const auto run_odd = [&] { bench.run<Gemm>(odd, Transpose::no, odd, Transpose::no, odd, 0.0F); };
  const device_tests::Variable refused("WEFT_EMULATED_LIBRARY_REFUSES");
  EXPECT_EQ(failure(run), "");
  const device_tests::DeviceMode strict(device_tests::device_library("emulated"), "strict");
  EXPECT_EQ(failure(run),
            "the library has no algorithm for a GEMM of (64, 96) and (96, 32) in f32 "
            "(WEFT_CUDA_STRICT)");
  EXPECT_EQ(failure(run_odd), "");
}

TEST_P(EmulatedDevice, WaitingForEachNamesTheKernelAndRefusesMemoryOfTheHost) {
  const auto library = device_tests::device_library("emulated");
  Bench bench(device());
  const View x = bench.put(Tensor::zeros({64}));
  const auto run = [&] { bench.run<Scale>(x, 2.0F, x); };
  Tensor numbers = Tensor::zeros({64});
  const auto on_host = [&] { bench.run<Scale>(numbers.cview(), 2.0F, x); };
  const device_tests::DeviceMode sync(library, "sync");
  const std::int64_t waits = device_tests::queued_count(library, "waits");
  EXPECT_EQ(failure(run), "");
  EXPECT_EQ(device_tests::queued_count(library, "waits"), waits)
      << "waits of the mode were counted";
  EXPECT_NE(failure(on_host).find("memory that is not the device's"), std::string::npos);
  const device_tests::Variable fault("WEFT_EMULATED_FAULT");
  const std::string told = failure(run);
  EXPECT_NE(told.find("a fault of the emulated device (in the kernel weft::cuda::"),
            std::string::npos)
      << told;
  EXPECT_NE(told.find("Scale"), std::string::npos) << told;
}

TEST(CudaLibrary, IsUsedWhereThereIsAGpu) {
  std::string why_none;
  const bool is_used = DeviceUnderTest::find("cuda", why_none) != nullptr;
  EXPECT_TRUE(is_used || !device_tests::needs_gpu()) << why_none;
}

TEST(CudaLibrary, SaysInOneLineWhyThereIsNoDevice) {
  std::string why_none;
  if (DeviceUnderTest::find("cuda", why_none) != nullptr) GTEST_SKIP() << "there is one";
  EXPECT_FALSE(why_none.empty());
  EXPECT_EQ(why_none.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace weft
