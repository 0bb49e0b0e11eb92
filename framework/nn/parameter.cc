#include "framework/nn/parameter.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "framework/nn/row_gradient_block.h"
#include "framework/nn/wide_sum.h"
#include "framework/ops/elementwise.h"
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

RowGradient::RowGradient(Shape table, DType type)
    : table_(table), type_(type), places_(static_cast<std::size_t>(table[0]), -1) {}

ConstView RowGradient::values() const {
  return {values_.data(), type_, {static_cast<std::int64_t>(rows_.size()), table_[1]}};
}

// Numbers the rows in the order of their first use and never moves one. The array behind them keeps
// its size when the gradient is cleared; new rows hold leftovers, which the caller overwrites.
View RowGradient::make_places(std::span<std::int32_t> rows) {
  const std::size_t most =
      rows.empty() ? 0 : static_cast<std::size_t>(*std::max_element(rows.begin(), rows.end())) + 1;
  if (places_.size() < most) places_.resize(most, -1);  // a table may have grown since
  // No branch asks whether a row is new: nothing could foresee it.
  std::size_t count = rows_.size();
  rows_.resize(count + rows.size());
  for (std::int32_t& row : rows) {
    std::int32_t& place = places_[static_cast<std::size_t>(row)];
    const bool is_new = place < 0;
    rows_[count] = row;
    place = is_new ? static_cast<std::int32_t>(count) : place;
    count += is_new ? 1 : 0;
    row = place;
  }
  rows_.resize(count);
  const std::size_t bytes = rows_.size() * static_cast<std::size_t>(table_[1]) * size_of(type_);
  if (values_.size() < bytes) values_.resize(bytes);
  return {values_.data(), type_, {static_cast<std::int64_t>(rows_.size()), table_[1]}};
}

View RowGradient::touch(std::span<std::int32_t> rows) {
  const std::size_t row_bytes = static_cast<std::size_t>(table_[1]) * size_of(type_);
  const std::size_t before = rows_.size() * row_bytes;
  const View values = make_places(rows);
  std::fill(values_.begin() + static_cast<std::ptrdiff_t>(before),
            values_.begin() + static_cast<std::ptrdiff_t>(rows_.size() * row_bytes), std::byte{0});
  return values;
}

// In f32 a row that is new here is copied, not added to zeros. In 16 bits each row is widened,
// added to in f32, and rounded once.
void RowGradient::add(const RowGradient& other) {
  std::vector<std::int32_t> places(other.rows_);
  const bool plain = type_ == DType::f32 && other.type_ == DType::f32;
  const auto before = static_cast<std::int32_t>(rows_.size());
  const View to = plain ? make_places(places) : touch(places);
  const ConstView from = other.values();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ConstView row = from.slice(static_cast<std::int64_t>(i), 1);
    if (plain && places[i] >= before) {
      std::copy_n(row.as<float>(), row.size(), to.row<float>(places[i]));
      continue;
    }
    if (plain) {
      add_numbers(to.row<float>(places[i]), row.as<float>(), row.size());
      continue;
    }
    WideSum sum(to.slice(places[i], 1));
    sum.add(row);
    sum.store();
  }
}

void RowGradient::widen(float factor) {
  if (type_ == DType::f32) return;
  const ConstView narrow = values();
  std::vector<std::byte> wide(static_cast<std::size_t>(narrow.size()) * sizeof(float));
  const View to(wide.data(), DType::f32, narrow.shape);
  cast_rows(narrow, to);
  multiply_numbers(to, factor);
  values_ = std::move(wide);
  type_ = DType::f32;
}

void RowGradient::clear() {
  for (const std::int32_t row : rows_) places_[static_cast<std::size_t>(row)] = -1;
  rows_.clear();
}

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

// On a device zeros are cheap, and GEMMs that are computed in parts add to what is there.
Gradients::Accumulator Gradients::accumulator_of(const Parameter& parameter) {
  if (stream_) return {of(parameter), false};
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

void Gradients::add_entry(const Parameter& parameter, std::span<const Gradients* const> others) {
  std::vector<ConstView> arrays;
  for (const Gradients* other : others) {
    if (const RowGradient* rows = other->find_rows(parameter)) rows_of(parameter).add(*rows);
    const auto found = other->entries_.find(&parameter);
    if (found == other->entries_.end() || !found->second.used) continue;
    arrays.push_back(found->second.array.cview());
  }
  if (!arrays.empty()) add_arrays(parameter, arrays);
}

void Gradients::add_arrays(const Parameter& parameter, std::span<const ConstView> arrays) {
  if (stream_) {
    const View to = of(parameter).view();
    for (const ConstView array : arrays) {
      kernel_of<AddInPlace>(stream_->device().kind)(*stream_, to, array);
    }
    return;
  }
  const auto [array, is_uninitialised] = accumulator_of(parameter);
  const View to = array.view();
  if (is_uninitialised && to.dtype == arrays.front().dtype) {
    std::memcpy(to.data, arrays.front().data, array.bytes());
    arrays = arrays.subspan(1);
  } else if (is_uninitialised) {
    zero(array);
  }
  if (arrays.empty()) return;
  WideSum sum(to);
  for (const ConstView from : arrays) sum.add(from);
  sum.store();
}

// Each task adds up the gradients of one parameter, in the order of `others`. So every sum has the
// same order of terms whatever thread computes it, and the result has the same bytes for any number
// of threads.
void Gradients::add(std::span<const Gradients* const> others, const TaskRunner& run) {
  for (const Gradients* other : others) {
    for (const auto& [parameter, entry] : other->entries_) {
      if (entry.used || entry.rows_used) entries_.try_emplace(parameter);
    }
  }
  std::vector<const Parameter*> all;  // every entry is there now: the tasks change none but theirs
  for (const auto& [parameter, entry] : entries_) all.push_back(parameter);
  run(all.size(), [&](std::size_t i) { add_entry(*all[i], others); });
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
