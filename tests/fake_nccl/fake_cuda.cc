// As much of the CUDA runtime as the engine of NCCL calls, played by the host.
#include <cstdlib>
#include <cstring>

#include <cuda_runtime_api.h>

#include "tests/fake_nccl/fake_stream.h"

using weft::testing::FakeStream;

namespace {
FakeStream& stream_of(cudaStream_t stream) {
  return *reinterpret_cast<FakeStream*>(stream);
}
}  // namespace

extern "C" {

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "an error of the fake device";
}
cudaError_t cudaGetDeviceCount(int* count) {
  const char* text = std::getenv("WEFT_FAKE_GPUS");
  *count = text == nullptr ? 8 : std::atoi(text);
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) {
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** data, std::size_t bytes) {
  *data = std::malloc(bytes);
  return *data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void* data) {
  std::free(data);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
  *stream = reinterpret_cast<cudaStream_t>(new FakeStream());
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<FakeStream*>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return stream_of(stream).is_idle() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  stream_of(stream).wait();
  return cudaSuccess;
}
// To the host, whose memory is not page-locked, it returns when the copy is done, as CUDA's does.
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  stream_of(stream).queue([=] { std::memcpy(to, from, bytes); });
  if (kind == cudaMemcpyDeviceToHost) stream_of(stream).wait();
  return cudaSuccess;
}

}  // extern "C"
