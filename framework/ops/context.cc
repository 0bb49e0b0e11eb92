#include "framework/ops/context.h"

#include <cstring>
#include <utility>

#include "framework/ops/dropout.h"
#include "framework/ops/elementwise.h"
#include "framework/ops/resident_weights.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {

void MaskSource::fill_rows(std::string_view site, std::span<const std::int64_t>, double rate,
                           View mask) {
  fill(site, 0, rate, mask);
}

void CounterMasks::fill(std::string_view site, std::int64_t offset, double rate, View mask) {
  Stream host;
  const RandomStream random(seed_, step_, site_hash(site));
  kernel_of<DropoutMask>(DeviceKind::cpu)(host, random, static_cast<std::uint64_t>(offset), rate,
                                          mask);
}

void CounterMasks::fill_rows(std::string_view site, std::span<const std::int64_t> offsets,
                             double rate, View mask) {
  Stream host;
  const RandomStream random(seed_, step_, site_hash(site));
  const auto fill = kernel_of<DropoutMask>(DeviceKind::cpu);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    fill(host, random, static_cast<std::uint64_t>(offsets[i]), rate,
         mask.slice(static_cast<std::int64_t>(i), 1));
  }
}

namespace {

Arena arena_on(const std::shared_ptr<Stream>& stream) {
  if (stream->is_cpu()) return Arena();
  return Arena([stream](std::size_t bytes) { return stream->allocate(bytes); });
}

Arena staging_for(const std::shared_ptr<Stream>& stream) {
  if (stream->is_cpu()) return Arena();
  return Arena([stream](std::size_t bytes) {
    std::shared_ptr<void> memory = stream->pinned(bytes);
    void* data = memory.get();
    return Storage{data, bytes, Device{}, std::move(memory)};
  });
}

}  // namespace

Context::Context() : Context(std::make_shared<Stream>()) {}
Context::Context(Device device) : Context(make_stream(device)) {}
Context::Context(std::shared_ptr<Stream> stream)
    : stream_(std::move(stream)),
      arena_(arena_on(stream_)),
      staging_(staging_for(stream_)),
      cast_memory_(arena_on(stream_)) {}
Context::~Context() = default;

void Context::end_step() {
  readings_.clear();
  arena_.reset();
  if (on_cpu() || staging_.in_use() == 0) return;
  stream_->synchronize();  // the copies have run
  staging_.reset();
}

Tensor Context::zeros(Shape shape, DType dtype) {
  Tensor result = empty(shape, dtype);
  fill_zero(result);
  return result;
}

void Context::fill_zero(Tensor& tensor) {
  stream_->zero(tensor.view().data, tensor.bytes());
}

void Context::copy(const Tensor& from, Tensor& to) {
  if (from.shape() != to.shape() || from.dtype() != to.dtype()) {
    throw Error(ErrorKind::internal, "copy of " + from.shape().str() + " into " + to.shape().str());
  }
  stream_->copy(to.view().data, from.cview().data, to.bytes(), CopyKind::device_to_device);
}

void Context::cast(ConstView from, View to) {
  if (on_cpu()) {
    cast_rows(from, to);
  } else {
    kernel_of<CopyRows>(device().kind)(*stream_, from, to);
  }
}

Tensor Context::host_array(Shape shape, DType dtype) {
  return on_cpu() ? empty(shape, dtype) : Tensor(staging_, shape, dtype);
}

Tensor Context::placed(const Tensor& tensor) {
  if (on_cpu() || tensor.device() == device()) return tensor;
  Tensor result = empty(tensor.shape(), tensor.dtype());
  stream_->copy(result.view().data, tensor.cview().data, result.bytes(), CopyKind::host_to_device);
  return result;
}

const void* Context::placed_bytes(const void* values, std::size_t bytes) {
  if (on_cpu()) return values;
  const Storage from = staging_.allocate(bytes);
  const Storage to = arena_.allocate(bytes);
  if (bytes > 0) std::memcpy(from.data, values, bytes);
  stream_->copy(to.data, from.data, bytes, CopyKind::host_to_device);
  return to.data;
}

Tensor Context::on_host(const Tensor& tensor) {
  if (tensor.device().kind == DeviceKind::cpu) return tensor;
  Tensor result = host_array(tensor.shape(), tensor.dtype());
  stream_->copy(result.view().data, tensor.cview().data, result.bytes(), CopyKind::device_to_host);
  stream_->synchronize();
  return result;
}

void Context::read_later(const Tensor& number, std::function<void(double)> take) {
  if (on_cpu()) return take(*number.data<double>());
  Tensor host = host_array({1}, DType::f64);
  stream_->copy(host.view().data, number.cview().data, sizeof(double), CopyKind::device_to_host);
  readings_.push_back({host.data<double>(), std::move(take)});
}

void Context::settle() {
  const std::vector<Reading> readings = std::exchange(readings_, {});
  if (readings.empty()) return;
  stream_->synchronize();
  for (const Reading& reading : readings) reading.take(*reading.number);
}

Tensor Context::resident(const Tensor& weight) const {
  return weights_ == nullptr ? weight : weights_->resident(weight);
}

ConstView Context::resident(ConstView view) const {
  if (weights_ == nullptr) return view;
  view.data = weights_->resident(view.data);
  return view;
}

View Context::resident(View view) const {
  if (weights_ == nullptr) return view;
  view.data = const_cast<void*>(weights_->resident(view.data));
  return view;
}

void Context::train(double dropout, Gradients& gradients, MaskSource& masks) {
  pass_ = Pass::train;
  dropout_ = dropout;
  gradients_ = &gradients;
  masks_ = &masks;
}

Tensor Context::dropout_mask(std::string_view site, Shape shape, double rate, std::int64_t offset) {
  if (masks_ == nullptr) throw Error(ErrorKind::internal, "dropout outside a training pass");
  if (!on_cpu()) {
    if (const auto draws = masks_->draws(site)) {
      Tensor mask = empty(shape);
      kernel_of<DropoutMask>(device().kind)(*stream_, *draws, static_cast<std::uint64_t>(offset),
                                            rate, mask.view());
      return mask;
    }
  }
  Tensor mask = host_array(shape);
  masks_->fill(site, offset, rate, mask.view());
  return placed(mask);
}

Tensor Context::dropout_mask_rows(std::string_view site, std::span<const std::int64_t> offsets,
                                  std::int64_t width, double rate) {
  if (masks_ == nullptr) throw Error(ErrorKind::internal, "dropout outside a training pass");
  const auto rows = static_cast<std::int64_t>(offsets.size());
  if (!on_cpu()) {
    if (const auto draws = masks_->draws(site)) {
      Tensor mask = empty({rows, width});
      const ConstView starts(placed_array(offsets), DType::i64, {rows});
      kernel_of<DropoutMaskRows>(device().kind)(*stream_, *draws, starts, rate, mask.view());
      return mask;
    }
  }
  Tensor mask = host_array({rows, width});
  masks_->fill_rows(site, offsets, rate, mask.view());
  return placed(mask);
}

Gradients& Context::gradients() {
  if (gradients_ == nullptr) throw Error(ErrorKind::internal, "gradients outside a training pass");
  return *gradients_;
}

}  // namespace weft
