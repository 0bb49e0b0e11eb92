#include "framework/ops/context.h"

#include "framework/ops/dropout.h"
#include "registry/error.h"

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

Context::Context() : stream_(std::make_unique<Stream>()) {}
Context::~Context() = default;

Tensor Context::zeros(Shape shape, DType dtype) {
  Tensor result = empty(shape, dtype);
  result.fill_zero();
  return result;
}

void Context::train(double dropout, Gradients& gradients, MaskSource& masks) {
  pass_ = Pass::train;
  dropout_ = dropout;
  gradients_ = &gradients;
  masks_ = &masks;
}

Tensor Context::dropout_mask(std::string_view site, Shape shape, double rate, std::int64_t offset) {
  if (masks_ == nullptr) throw Error(ErrorKind::internal, "dropout outside a training pass");
  Tensor mask = empty(shape);
  masks_->fill(site, offset, rate, mask.view());
  return mask;
}

Tensor Context::dropout_mask_rows(std::string_view site, std::span<const std::int64_t> offsets,
                                  std::int64_t width, double rate) {
  if (masks_ == nullptr) throw Error(ErrorKind::internal, "dropout outside a training pass");
  Tensor mask = empty({static_cast<std::int64_t>(offsets.size()), width});
  masks_->fill_rows(site, offsets, rate, mask.view());
  return mask;
}

Gradients& Context::gradients() {
  if (gradients_ == nullptr) throw Error(ErrorKind::internal, "gradients outside a training pass");
  return *gradients_;
}

}  // namespace weft
