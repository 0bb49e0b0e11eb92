// A device made of host memory that only its own copies and kernels can touch: any other code that
// does ends the program. Its kernels are those of the CPU, so that the way of the numbers to and
// fro is tested.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include "framework/ops/activation.h"
#include "framework/ops/dropout.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/gather.h"
#include "framework/ops/gemm.h"
#include "framework/ops/hash_embed.h"
#include "framework/ops/layer_norm.h"
#include "framework/ops/maxout.h"
#include "framework/ops/optimizer_arrays.h"
#include "framework/ops/reduce.h"
#include "framework/ops/softmax.h"
#include "framework/ops/transition_steps.h"
#include "framework/ops/window.h"
#include "framework/tensor/device_backend.h"
#include "registry/base/error.h"

namespace weft::testing {

// One range of addresses that is closed but while something of the device runs.
class FakeMemory {
 public:
  static FakeMemory& instance() {
    static FakeMemory memory;
    return memory;
  }

  std::shared_ptr<void> take(std::size_t wanted) {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = std::max<std::size_t>(256, (wanted + 255) / 256 * 256);
    for (const auto& [begin, size] : free_) {
      if (size < bytes) continue;
      const std::size_t at = begin, left = size - bytes;
      free_.erase(begin);
      if (left > 0) free_[at + bytes] = left;
      return {base_ + at, [this, at, bytes](void*) { give_back(at, bytes); }};
    }
    throw Error(ErrorKind::memory, "the fake device is full");
  }

  // Opens the memory while it lives; one at a time.
  class Open {
   public:
    Open() : lock_(instance().mutex_) { instance().protect(PROT_READ | PROT_WRITE, +1); }
    ~Open() { instance().protect(PROT_NONE, -1); }

   private:
    std::lock_guard<std::recursive_mutex> lock_;
  };

  bool holds(const void* address) const { return address >= base_ && address < base_ + kBytes; }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 30;

  FakeMemory() {
    void* data =
        ::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) throw std::runtime_error("no address space");
    base_ = static_cast<char*>(data);
    free_[0] = kBytes;
  }
  void protect(int access, int count) {
    const int before = open_;
    open_ += count;
    if (before == 0 || open_ == 0) ::mprotect(base_, kBytes, access);
  }
  void give_back(std::size_t at, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto here = free_.emplace(at, bytes).first;
    const auto next = std::next(here);
    if (next != free_.end() && at + bytes == next->first) {
      here->second += next->second;
      free_.erase(next);
    }
    if (here == free_.begin()) return;
    const auto before = std::prev(here);
    if (before->first + before->second != here->first) return;
    before->second += here->second;
    free_.erase(here);
  }

  std::recursive_mutex mutex_;
  char* base_ = nullptr;
  std::map<std::size_t, std::size_t> free_;  // begin -> bytes
  int open_ = 0;
};

class FakeStream final : public Stream {
 public:
  explicit FakeStream(int index) : Stream({DeviceKind::cuda, index}) {}

  void zero(void* to, std::size_t bytes) override {
    const FakeMemory::Open open;
    EXPECT_TRUE(bytes == 0 || FakeMemory::instance().holds(to));
    Stream::zero(to, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes, CopyKind kind) override {
    const FakeMemory::Open open;
    const FakeMemory& memory = FakeMemory::instance();
    EXPECT_TRUE(bytes == 0 || memory.holds(to) == (kind != CopyKind::device_to_host));
    EXPECT_TRUE(bytes == 0 || memory.holds(from) == (kind != CopyKind::host_to_device));
    Stream::copy(to, from, bytes, kind);
  }

 protected:
  std::shared_ptr<void> take(std::size_t bytes) override {
    return FakeMemory::instance().take(bytes);
  }
};

template <class Op, class Fn = typename Op::Fn>
struct FakeKernel;
template <class Op, class... A>
struct FakeKernel<Op, void(Stream&, A...)> {
  static void run(Stream&, A... arguments) {
    const FakeMemory::Open open;
    (expect_here(arguments), ...);
    Stream host;
    kernel_of<Op>(DeviceKind::cpu)(host, arguments...);
  }

 private:
  template <class T>
  static void expect_here(const T& argument) {
    if constexpr (std::is_same_v<T, View> || std::is_same_v<T, ConstView>) {
      EXPECT_TRUE(argument.size() == 0 || argument.data == nullptr ||
                  FakeMemory::instance().holds(argument.data))
          << Op::name << " was given an array of the host";
    }
  }
};

inline void fake_train(Stream&, const TransitionTask& task, const TransitionGold& gold,
                       TransitionRecord& record) {
  const FakeMemory::Open open;
  Stream host;
  kernel_of<TransitionTrain>(DeviceKind::cpu)(host, task, gold, record);
  EXPECT_EQ(record.rows, task.rounds.begin[task.rounds.count]);
}

template <class... Ops>
void register_fakes() {
  (static_cast<void>(KernelRegistration<Ops>{DeviceKind::cuda, FakeKernel<Ops>::run}), ...);
}

// The kernels and the backend of GPUs as they are now; put back when it goes.
class SavedDevices {
 public:
  SavedDevices() : backend_(device_backend(DeviceKind::cuda)) {
    for (const KernelSlot* slot : kernel_slots()) slots_.emplace_back(slot, *slot);
  }
  ~SavedDevices() {
    constexpr auto kCuda = static_cast<std::size_t>(DeviceKind::cuda);
    for (const auto& [slot, saved] : slots_) {
      KernelSlot& here = kernel_slot(*slot);
      here.kernels[kCuda] = saved.kernels[kCuda];
      here.any_format_on[kCuda] = saved.any_format_on[kCuda];
      here.tf32_kernels[kCuda] = saved.tf32_kernels[kCuda];
    }
    set_device_backend(DeviceKind::cuda, backend_);
  }
  SavedDevices(const SavedDevices&) = delete;
  SavedDevices& operator=(const SavedDevices&) = delete;

 private:
  DeviceBackend* backend_;
  std::vector<std::pair<const KernelSlot*, KernelSlot>> slots_;
};

// While it lives there is one such device with a kernel for every op.
class FakeDevice final : public DeviceBackend {
 public:
  FakeDevice() {
    register_fakes<ActivationForward, ActivationBackward, DropoutMask, DropoutMaskRows, AddInPlace,
                   MultiplyInPlace, Multiply, Scale, CopyRows, GatherRows, ScatterAddRows, Gemm,
                   Affine, HashRows, GatherSum, ScatterAddSum, LayerNormForward, LayerNormBackward,
                   MaxoutForward, MaxoutBackward, AdamStep, MomentumStep, SgdStep, AverageStep,
                   SquaredNorm, GradientNorms, StepArrays, AddColumnSums, PoolForward, PoolBackward,
                   SoftmaxForward, TransitionParse, TransitionScatter, WindowForward,
                   WindowBackward>();
    KernelRegistration<TransitionTrain>{DeviceKind::cuda, fake_train};
    set_device_backend(DeviceKind::cuda, this);
  }
  int count() const override { return devices; }
  std::string why_none() const override { return devices > 0 ? "" : "the fake device is off"; }
  DeviceProperties properties(int) const override {
    return {.kind = DeviceProperties::Kind::cuda, .name = "fake", .major = major, .minor = 0};
  }
  std::size_t total_memory(int) const override { return std::size_t{1} << 30; }
  std::unique_ptr<Stream> make_stream(int index) override {
    return std::make_unique<FakeStream>(index);
  }

  int devices = 1;
  int major = 9;  // compute capability

 private:
  SavedDevices saved_;
};

}  // namespace weft::testing
