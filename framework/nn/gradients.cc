#include "framework/nn/gradients.h"

#include <algorithm>
#include <utility>

#include "framework/nn/row_gradient_block.h"
#include "framework/nn/wide_sum.h"
#include "framework/precision/element_type.h"
#include "registry/base/error.h"

namespace weft {

namespace {

// The matrix whose rows are kept of an array. Numbers in one row are kept by blocks.
Shape kept_matrix(Shape shape) {
  if (shape.rank() != 1) return shape;
  return {shape[0] / kRowGradientBlock, kRowGradientBlock};
}

}  // namespace

Gradients::Gradients(std::shared_ptr<Stream> stream)
    : stream_(stream->is_cpu() ? nullptr : std::move(stream)) {}

void Gradients::zero(Tensor& array) const {
  if (stream_) {
    stream_->zero(array.view().data, array.bytes());
  } else {
    array.fill_zero();
  }
}

// With an array of the right type and shape, whatever it holds; not yet marked as used.
Gradients::Entry& Gradients::with_array(const Parameter& parameter) {
  Entry& entry = entries_[&parameter];
  const Shape shape = parameter.value.shape();
  const bool is_other_type = !entry.used && entry.array.dtype() != type_;
  if (!entry.array || is_other_type || entry.array.shape() != shape) {
    entry.array = Tensor();
    HostAllocator host;
    entry.array = stream_ ? Tensor(*stream_, shape, type_) : Tensor(host, shape, type_);
    entry.used = false;
  }
  entry.squares.reset();
  return entry;
}

Tensor& Gradients::of(const Parameter& parameter) {
  Entry& entry = with_array(parameter);
  if (!entry.used) zero(entry.array);
  entry.used = true;
  return entry.array;
}

Gradients::Accumulator Gradients::accumulator_of(const Parameter& parameter) {
  Entry& entry = with_array(parameter);
  return {entry.array, !std::exchange(entry.used, true)};
}

RowGradient& Gradients::rows_of(const Parameter& parameter) {
  if (stream_) throw Error(ErrorKind::internal, "gradients on a device are not kept by rows");
  Entry& entry = entries_[&parameter];
  if (!entry.rows || (!entry.rows_used && entry.rows->type() != type_)) {
    entry.rows = std::make_unique<RowGradient>(kept_matrix(parameter.value.shape()), type_);
  }
  entry.rows_used = true;
  return *entry.rows;
}

const RowGradient* Gradients::find_rows(const Parameter& parameter) const {
  const auto found = entries_.find(&parameter);
  return found == entries_.end() || !found->second.rows_used ? nullptr : found->second.rows.get();
}

const Tensor* Gradients::find_array(const Parameter& parameter) const {
  const auto found = entries_.find(&parameter);
  if (found == entries_.end() || found->second.rows_used) return nullptr;
  return found->second.used ? &found->second.array : nullptr;
}

ConstView Gradients::kept(const Parameter& parameter) const {
  if (const RowGradient* rows = find_rows(parameter)) return rows->values();
  const Tensor* array = find_array(parameter);
  return array == nullptr ? ConstView() : array->cview();
}

// For readers that want plain numbers: 16-bit gradients are widened and the factor that was put off
// is applied. The copy stays with the entry until it is asked for again.
const Tensor* Gradients::find(const Parameter& parameter) const {
  was_read_early_ = was_read_early_ || is_scaled_;
  const auto found = entries_.find(&parameter);
  if (found == entries_.end()) return nullptr;
  Entry& entry = found->second;
  if (entry.rows_used) {
    write_out(entry, parameter.value.shape());
    return &entry.whole;
  }
  if (!entry.used) return nullptr;
  if (entry.array.dtype() == DType::f32) return &entry.array;
  entry.whole = cast_to(DType::f32, entry.array);
  multiply_numbers(entry.whole.view(), factor_);
  return &entry.whole;
}

// The rows that were written the last time become zeros again: a new table for each step would cost
// more than all the rest.
void Gradients::write_out(Entry& entry, Shape shape) const {
  if (!entry.whole || entry.whole.shape() != shape) entry.whole = Tensor::zeros(shape);
  const View table(entry.whole.view().data, DType::f32, kept_matrix(shape));
  for (const std::int32_t row : entry.written) {
    std::fill_n(table.row<float>(row), table.cols(), 0.0F);
  }
  const ConstView values = entry.rows->values();
  entry.written.assign(entry.rows->rows().begin(), entry.rows->rows().end());
  for (std::size_t i = 0; i < entry.written.size(); ++i) {
    const View to = table.slice(entry.written[i], 1);
    cast_rows(values.slice(static_cast<std::int64_t>(i), 1), to);
    if (values.dtype != DType::f32) multiply_numbers(to, factor_);
  }
}

// The gradient is widened for good: changed numbers are not rounded to 16 bits again, which would
// lose small changes.
std::span<float> Gradients::numbers(const Parameter& parameter) {
  if (stream_) throw Error(ErrorKind::internal, "gradients on a device are not there to read");
  was_read_early_ = was_read_early_ || is_scaled_;
  const auto found = entries_.find(&parameter);
  if (found == entries_.end()) return {};
  Entry& entry = found->second;
  if (!entry.rows_used && !entry.used) return {};
  if (entry.rows_used) {
    entry.rows->widen(factor_);
  } else if (entry.array.dtype() != DType::f32) {
    entry.array = cast_to(DType::f32, entry.array);
    multiply_numbers(entry.array.view(), factor_);
  }
  const View view = entry.rows_used ? entry.rows->touch({}) : entry.array.view();
  return {view.as<float>(), static_cast<std::size_t>(view.size())};
}

bool Gradients::empty() const {
  return std::none_of(entries_.begin(), entries_.end(), [](const auto& named) {
    return named.second.used || named.second.rows_used;
  });
}

void Gradients::forget(Entry& entry) {
  if (entry.rows_used) entry.rows->clear();
  entry.used = entry.rows_used = false;
  entry.squares.reset();
}

void Gradients::drop(const Parameter& parameter) {
  const auto found = entries_.find(&parameter);
  if (found != entries_.end()) forget(found->second);
}

void Gradients::clear() {
  for (auto& [_, entry] : entries_) forget(entry);
  factor_ = 1.0F;
  is_scaled_ = false;
}

// Where the numbers are stored in 16 bits, or lie on a device, the factor is put off until they are
// read: small numbers would underflow, or another pass over memory would be spent. Else it is
// applied at once.
void Gradients::scale(float factor) {
  if (stream_ || is_low(type_)) factor_ *= factor;
  if (stream_) return;
  for (auto& [_, entry] : entries_) {
    if (entry.used && entry.array.dtype() == DType::f32) {
      multiply_numbers(entry.array.view(), factor);
    }
    if (entry.rows_used && entry.rows->type() == DType::f32) {
      multiply_numbers(entry.rows->touch({}), factor);
    }
  }
}

void Gradients::remember_squares(const Parameter& parameter, double squares) {
  entries_[&parameter].squares = squares;
}

std::optional<double> Gradients::squares(const Parameter& parameter) const {
  const auto found = entries_.find(&parameter);
  return found == entries_.end() ? std::nullopt : found->second.squares;
}

std::size_t Gradients::bytes() const {
  std::size_t sum = 0;
  for (const auto& [_, entry] : entries_) {
    sum += entry.array.bytes() + entry.whole.bytes();
    if (entry.rows) sum += entry.rows->bytes();
  }
  return sum;
}

// All copies are queued before the one wait. Rounding to the type that gradients are kept in comes
// before the factor, in the order in which the optimizer's kernels on the device do it.
Gradients Gradients::on_host() const {
  Gradients host;
  for (const auto& [parameter, entry] : entries_) {
    if (!entry.used && !entry.rows_used) continue;
    Entry& copy = host.entries_[parameter];
    if (!stream_) {
      copy.array = find(*parameter)->clone();
    } else {
      copy.array = Tensor::zeros(entry.array.shape());
      stream_->copy(copy.array.view().data, entry.array.cview().data, copy.array.bytes(),
                    CopyKind::device_to_host);
    }
    copy.used = true;
  }
  if (!stream_) return host;
  stream_->synchronize();
  for (auto& [_, copy] : host.entries_) {
    if (is_low(kept_as_)) copy.array = cast_to(DType::f32, cast_to(kept_as_, copy.array));
    if (factor_ != 1.0F) multiply_numbers(copy.array.view(), factor_);
  }
  return host;
}

void Gradients::take(const Gradients& host) {
  for (const auto& [parameter, entry] : host.entries_) {
    if (!entry.used) continue;
    Tensor& array = of(*parameter);
    if (stream_) {
      stream_->copy(array.view().data, entry.array.cview().data, array.bytes(),
                    CopyKind::host_to_device);
    } else {
      array.copy_from(entry.array);
    }
  }
  if (!stream_) return;
  stream_->synchronize();
  kept_as_ = DType::f32;
  factor_ = 1.0F;
}

}  // namespace weft
