#include "framework/ops/pass_memory.h"

#include <cstring>
#include <utility>

#include "framework/ops/elementwise.h"
#include "framework/ops/kernel.h"
#include "framework/ops/resident_weights.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {
namespace {

Arena arena_on(const std::shared_ptr<Stream>& stream) {
  if (stream->is_cpu()) return Arena();
  return Arena([stream](std::size_t bytes) { return stream->allocate(bytes); });
}

Arena staging_for(const std::shared_ptr<Stream>& stream) {
  if (stream->is_cpu()) return Arena();
  // Page-locked memory, from which a device copies while the host goes on.
  return Arena([stream](std::size_t bytes) {
    std::shared_ptr<void> memory = stream->pinned(bytes);
    void* data = memory.get();
    return Storage{data, bytes, Device{}, std::move(memory)};
  });
}

}  // namespace

PassMemory::PassMemory(std::shared_ptr<Stream> stream)
    : stream_(std::move(stream)), staging_(staging_for(stream_)), arena_(arena_on(stream_)) {}

Arena PassMemory::make_arena() const {
  return arena_on(stream_);
}

void PassMemory::end_step() {
  readings_.clear();
  arena_.reset();
  if (on_cpu() || staging_.in_use() == 0) return;
  // The next step writes to the staging memory: the copies from it must have run.
  stream_->synchronize();
  staging_.reset();
}

Tensor PassMemory::zeros(Shape shape, DType dtype) {
  Tensor result = empty(shape, dtype);
  fill_zero(result);
  return result;
}

void PassMemory::fill_zero(Tensor& tensor) {
  stream_->zero(tensor.view().data, tensor.bytes());
}

void PassMemory::copy(const Tensor& from, Tensor& to) {
  if (from.shape() != to.shape() || from.dtype() != to.dtype()) {
    throw Error(ErrorKind::internal, "copy of " + from.shape().str() + " into " + to.shape().str());
  }
  stream_->copy(to.view().data, from.cview().data, to.bytes(), CopyKind::device_to_device);
}

void PassMemory::cast(ConstView from, View to) {
  if (on_cpu()) {
    cast_rows(from, to);
  } else {
    kernel_of<CopyRows>(device().kind)(*stream_, from, to);
  }
}

Tensor PassMemory::host_array(Shape shape, DType dtype) {
  return on_cpu() ? empty(shape, dtype) : Tensor(staging_, shape, dtype);
}

Tensor PassMemory::placed(const Tensor& tensor) {
  if (on_cpu() || tensor.device() == device()) return tensor;
  Tensor result = empty(tensor.shape(), tensor.dtype());
  stream_->copy(result.view().data, tensor.cview().data, result.bytes(), CopyKind::host_to_device);
  return result;
}

const void* PassMemory::placed_bytes(const void* values, std::size_t bytes) {
  if (on_cpu()) return values;
  // By way of the staging memory, because the caller's values may be gone before the copy runs.
  const Storage from = staging_.allocate(bytes);
  const Storage to = arena_.allocate(bytes);
  if (bytes > 0) std::memcpy(from.data, values, bytes);
  stream_->copy(to.data, from.data, bytes, CopyKind::host_to_device);
  return to.data;
}

Tensor PassMemory::on_host(const Tensor& tensor) {
  if (tensor.device().kind == DeviceKind::cpu) return tensor;
  Tensor result = host_array(tensor.shape(), tensor.dtype());
  stream_->copy(result.view().data, tensor.cview().data, result.bytes(), CopyKind::device_to_host);
  stream_->synchronize();
  return result;
}

std::vector<float> PassMemory::numbers(ConstView matrix) {
  std::vector<float> numbers(static_cast<std::size_t>(matrix.size()));
  const View host(numbers.data(), DType::f32, {matrix.rows(), matrix.cols()});
  if (on_cpu()) {
    cast_rows(matrix, host);
  } else {
    Tensor wide = empty(host.shape);
    cast(resident(matrix), wide.view());
    cast_rows(on_host(wide), host);
  }
  return numbers;
}

void PassMemory::read_later(const Tensor& number, std::function<void(double)> take) {
  if (on_cpu()) return take(*number.data<double>());
  // A wait for each number would stop the queue many times in a step; they are all read at its end.
  readings_.push_back({number.data<double>(), std::move(take)});
}

void PassMemory::finish_reads() {
  const std::vector<Reading> readings = std::exchange(readings_, {});
  if (readings.empty()) return;
  stream_->synchronize();
  for (const Reading& reading : readings) reading.take(*reading.number);
}

Tensor PassMemory::resident(const Tensor& weight) const {
  return weights_ == nullptr ? weight : weights_->resident(weight);
}

ConstView PassMemory::resident(ConstView view) const {
  if (weights_ == nullptr) return view;
  view.data = weights_->resident(view.data);
  return view;
}

View PassMemory::resident(View view) const {
  if (weights_ == nullptr) return view;
  view.data = const_cast<void*>(weights_->resident(view.data));
  return view;
}

}  // namespace weft
