// The devices on which op tests run: the CPU, the emulated device (tests/emulated_device) and,
// where there is one, a GPU. A test body is a function of a Bench; its results on a device are
// compared with those on the CPU.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "framework/ops/kernel.h"
#include "framework/precision/element_type.h"
#include "framework/tensor/device_backend.h"
#include "framework/tensor/tensor.h"

namespace weft {

// The kernels and a stream of one device.
class DeviceUnderTest {
 public:
  // "cpu", "emulated" or "cuda"; null where there is none, and then why_none says why.
  static DeviceUnderTest* find(const std::string& name, std::string& why_none);

  // The kernels of an op, one of them for inputs that are rounded to tf32.
  struct Kernels {
    ErasedKernel plain = nullptr, tf32 = nullptr;
  };

  DeviceUnderTest(std::shared_ptr<Stream> stream, std::map<std::string_view, Kernels> kernels)
      : stream_(std::move(stream)), kernels_(std::move(kernels)) {}
  Stream& stream() { return *stream_; }
  bool is_cpu() const { return stream_->is_cpu(); }
  template <class Op>
  typename Op::Fn* kernel() const {
    return reinterpret_cast<typename Op::Fn*>(kernels_.at(Op::name).plain);
  }
  template <class Op>
  typename Op::Fn* tf32_kernel() const {
    return reinterpret_cast<typename Op::Fn*>(kernels_.at(Op::name).tf32);
  }

 private:
  std::shared_ptr<Stream> stream_;
  std::map<std::string_view, Kernels> kernels_;
};

// The arrays of one run of a test body, in the memory of the device. On the CPU, whose kernels
// compute in f32, 16-bit arrays are widened, and rounded again when they are read.
class Bench {
 public:
  explicit Bench(DeviceUnderTest& device) : device_(device) {}

  View put(const Tensor& host);
  // As columns [first, ...) of a wider matrix, all other numbers of which are 77.
  View put_wide(const Tensor& host, std::int64_t first, std::int64_t width);
  template <class T>
  T* put_array(const std::vector<T>& values) {
    void* memory = take(values.size() * sizeof(T));
    stream().copy(memory, values.data(), values.size() * sizeof(T), CopyKind::host_to_device);
    return static_cast<T*>(memory);
  }
  // The current elements of a view, on the host, in `type`.
  Tensor get(ConstView view, DType type);
  Tensor get(ConstView view) { return get(view, view.dtype); }
  template <class T>
  std::vector<T> get_array(const T* from, std::size_t count) {
    std::vector<T> values(count);
    stream().copy(values.data(), from, count * sizeof(T), CopyKind::device_to_host);
    stream().synchronize();
    return values;
  }

  template <class Op, class... Arguments>
  void run(Arguments&&... arguments) {
    device_.kernel<Op>()(stream(), std::forward<Arguments>(arguments)...);
  }
  template <class Op, class... Arguments>
  void run_tf32(Arguments&&... arguments) {
    device_.tf32_kernel<Op>()(stream(), std::forward<Arguments>(arguments)...);
  }
  Stream& stream() { return device_.stream(); }
  bool is_cpu() const { return device_.is_cpu(); }

 private:
  void* take(std::size_t bytes);

  DeviceUnderTest& device_;
  std::vector<Storage> memory_;
};

// Tests with the name of a device as parameter; skipped where it is absent.
class DeviceTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override;

  using Body = std::function<std::vector<Tensor>(Bench&)>;
  // Runs the body on the CPU and twice on the device, which must give the same bytes both times.
  // `relative` is the difference allowed relative to max(1, |number|) for f32; results in 16 bits
  // may in addition round differently.
  void compare(const Body& body, double relative, std::string_view what);
  DeviceUnderTest& device() { return *device_; }

 private:
  DeviceUnderTest* device_ = nullptr;
};

inline const auto kDevices = testing::Values("emulated", "cuda");
inline std::string device_name(const testing::TestParamInfo<std::string>& info) {
  return info.param;
}

// Uniform in [-1, 1), rounded to `type`.
Tensor random_numbers(Shape shape, std::uint64_t seed, DType type = DType::f32);
// Numbers in [0, bound), i32.
Tensor random_rows(Shape shape, std::uint64_t seed, std::int64_t bound);
// The three formats of floating arrays.
inline constexpr DType kFormats[] = {DType::f32, DType::f16, DType::bf16};

// Matrices that tests go through, and what a failure calls one: "maxout (7, 5) f16".
struct Size {
  std::int64_t rows, width;
};
std::string named(std::string_view op, std::int64_t n, std::int64_t d, DType type);

}  // namespace weft
