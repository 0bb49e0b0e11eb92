#include "framework/ops/context.h"

#include <utility>

#include "framework/ops/dropout.h"

namespace weft {

Context::Context() : Context(std::make_shared<Stream>()) {}
Context::Context(Device device) : Context(make_stream(device)) {}
Context::Context(std::shared_ptr<Stream> stream)
    : PassMemory(std::move(stream)), cast_scratch_([this] { return make_arena(); }) {}

// The stream of a device belongs to all contexts there, and its kernels share nothing.
void Context::share(const WorkSharing& sharing) {
  pass_.share(sharing);
  if (on_cpu()) stream().share_among(sharing.tasks);
}

std::unique_ptr<Context> Context::make_part() {
  auto part = std::make_unique<Context>(shared_stream());
  part->use(weights());
  part->pass_.predict();
  part->pass_.share(pass_.sharing());
  part->follow(formats_);
  part->watch_.observe(watch_.observer());
  return part;
}

Tensor Context::dropout_mask(std::string_view site, Shape shape, double rate, std::int64_t offset) {
  MaskSource& masks = pass_.masks();
  if (const auto draws = masks.draws(site)) {
    Tensor mask = empty(shape);
    kernel_of<DropoutMask>(device().kind)(stream(), *draws, static_cast<std::uint64_t>(offset),
                                          rate, mask.view());
    return mask;
  }
  Tensor mask = host_array(shape);
  masks.fill(site, offset, rate, mask.view());
  return placed(mask);
}

Tensor Context::dropout_mask_rows(std::string_view site, std::span<const std::int64_t> offsets,
                                  std::int64_t width, double rate) {
  MaskSource& masks = pass_.masks();
  const auto rows = static_cast<std::int64_t>(offsets.size());
  if (const auto draws = masks.draws(site)) {
    Tensor mask = empty({rows, width});
    const ConstView starts(placed_array(offsets), DType::i64, {rows});
    kernel_of<DropoutMaskRows>(device().kind)(stream(), *draws, starts, rate, mask.view());
    return mask;
  }
  Tensor mask = host_array({rows, width});
  masks.fill_rows(site, offsets, rate, mask.view());
  return placed(mask);
}

Tensor Context::result_in(DType type, Shape shape) {
  if (formats_ == nullptr) return empty(shape);
  if (watch_.observer() != nullptr) watch_.observer()->chose_type(watch_.layer(), type);
  return empty(shape, type);
}

Tensor Context::cast_for(const KernelSlot& op, const Tensor& tensor) {
  OpCasts casts(*this, op);
  casts.look_at<ConstView>(tensor);
  const ConstView seen = casts.input(tensor);
  Tensor here = resident(tensor);
  if (seen.data == here.cview().data) return here;
  Tensor result = empty(tensor.shape());
  cast(seen, result.view());
  return result;
}

}  // namespace weft
