#include <algorithm>
#include <limits>

#include "framework/backends/cuda/device_gemm.h"
#include "framework/backends/cuda/runtime/check.h"
#include "framework/backends/cuda/runtime/cuda_stream.h"
#include "framework/backends/cuda/runtime/matrix_units.h"

namespace weft::cuda {
namespace {

// Large enough that multiplying takes the time, and not the launch. The numbers are zeros: the time
// of a GEMM does not depend on them.
constexpr std::int64_t kSize = 2048;
constexpr float kTimesAsFast = 3.0F;

class Event {
 public:
  Event() { check(cudaEventCreate(&event_)); }
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

// Of the fastest of three GEMMs of square matrices.
float milliseconds(CudaStream& stream, DType type) {
  const std::int64_t count = kSize * kSize;
  const Scratch<float> numbers(stream, 3 * count);
  stream.zero(numbers.data(), static_cast<std::size_t>(3 * count) * sizeof(float));
  GemmArgs args;
  args.a = View(numbers.data(), type, {kSize, kSize});
  args.b = View(numbers.data() + count, type, {kSize, kSize});
  args.c = View(numbers.data() + 2 * count, type, {kSize, kSize});
  const auto queue = static_cast<cudaStream_t>(stream.native());
  const Event begin, end;
  float best = std::numeric_limits<float>::infinity();
  for (int run = 0; run < 3; ++run) {
    check(cudaEventRecord(begin.get(), queue));
    run_gemm(stream, args);
    // Behind the GEMM, which another thread may still have to hand over.
    check(cudaEventRecord(end.get(), static_cast<cudaStream_t>(stream.native())));
    check(cudaEventSynchronize(end.get()));
    float time = 0.0F;
    check(cudaEventElapsedTime(&time, begin.get(), end.get()));
    best = std::min(best, time);
  }
  return best;
}

}  // namespace

bool has_fp16_matrix_units(int device, int major, int minor) {
  if (major < 7) return false;
  if (major > 7 || minor != 5) return true;
  CudaStream stream(device);
  return milliseconds(stream, DType::f32) > kTimesAsFast * milliseconds(stream, DType::f16);
}

}  // namespace weft::cuda
