// The memory in which a pass runs: its device, arrays on it, and the copies between it and the
// host. On the CPU there is but one memory, and nothing is copied.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "framework/tensor/stream.h"
#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

class ResidentWeights;

class WEFT_API PassMemory {
 public:
  // Memory from an arena on that stream's device. Several passes may queue on one stream.
  explicit PassMemory(std::shared_ptr<Stream> stream);
  PassMemory(const PassMemory&) = delete;
  PassMemory& operator=(const PassMemory&) = delete;

  Device device() const { return stream_->device(); }
  // For the ops themselves. Code that uses them asks which op has a kernel (Context::has) and what
  // holds for its memory.
  bool on_cpu() const { return stream_->is_cpu(); }
  // Whether arrays of the pass are taken of the host's memory.
  bool uses_host_memory() const { return on_cpu(); }
  // Whether passes of other threads compute at the same time; else all queue on one device.
  bool runs_beside_others() const { return on_cpu(); }
  Stream& stream() { return *stream_; }
  // Memory of the step; valid until `end_step`.
  Allocator& allocator() { return arena_; }
  Arena& arena() { return arena_; }
  // Another one on the same device.
  Arena make_arena() const;
  // Takes back all memory of the step; tensors that were made here become invalid.
  void end_step();

  // Arrays of the device.
  Tensor empty(Shape shape, DType dtype = DType::f32) { return {arena_, shape, dtype}; }
  Tensor zeros(Shape shape, DType dtype = DType::f32);
  void fill_zero(Tensor& tensor);
  // Copies the elements of a tensor of the same shape and type that lies here too.
  void copy(const Tensor& from, Tensor& to);
  // Writes the numbers of `from` to `to`, rounded to nearest even where that is narrower: matrices
  // of the same shape here, of f32, f16 or bf16. No policy, not watched.
  void cast(ConstView from, View to);

  // An array that the host fills; contents undefined.
  Tensor host_array(Shape shape, DType dtype = DType::f32);
  // A host tensor in the device's memory; it stays as it is until the end of the step. A tensor
  // that lies there comes back itself.
  Tensor placed(const Tensor& tensor);
  // Plain structs for a kernel that takes a pointer; the values are read at once.
  template <class T>
  const T* placed_array(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return static_cast<const T*>(placed_bytes(values.data(), values.size_bytes()));
  }
  // A tensor in the host's memory, to read: waits for what was queued.
  Tensor on_host(const Tensor& tensor);
  // The numbers of a matrix of any floating type, on the host in f32.
  std::vector<float> numbers(ConstView matrix);
  // One number (f64) of the host's memory that an op writes: on a device in page-locked memory, to
  // which its kernels find the way themselves. Read it by `read_later`, in this step.
  Tensor number_to_read() { return host_array({1}, DType::f64); }
  // Hands a `number_to_read` over: at once on the CPU, else when `finish_reads` is called, which
  // waits for all of them together.
  void read_later(const Tensor& number, std::function<void(double)> take);
  void finish_reads();

  // From now on ops that are given tracked weights of the host get their copies on the device,
  // which outlive the pass. Null on the CPU.
  void use(ResidentWeights* weights) { weights_ = weights; }
  ResidentWeights* weights() const { return weights_; }
  // A weight as ops here get it. Weights are found by where they lie on the host.
  Tensor resident(const Tensor& weight) const;
  ConstView resident(ConstView view) const;
  View resident(View view) const;

 protected:
  const std::shared_ptr<Stream>& shared_stream() const { return stream_; }

 private:
  struct Reading {
    const double* number;
    std::function<void(double)> take;
  };
  const void* placed_bytes(const void* values, std::size_t bytes);

  std::shared_ptr<Stream> stream_;
  Arena staging_;  // host memory for copies; unused on the CPU
  Arena arena_;    // goes first: copies to it that wait are given up while their source is there
  std::vector<Reading> readings_;
  ResidentWeights* weights_ = nullptr;
};

}  // namespace weft
