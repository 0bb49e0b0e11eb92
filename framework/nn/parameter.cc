#include "framework/nn/parameter.h"

#include <algorithm>

namespace weft {

namespace {

void add_values(float* to, const float* from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

RowGradient::RowGradient(Shape table)
    : table_(table), places_(static_cast<std::size_t>(table[0]), -1) {}

ConstView RowGradient::values() const {
  return {values_.data(), DType::f32, {static_cast<std::int64_t>(rows_.size()), table_[1]}};
}

View RowGradient::touch(std::span<std::int32_t> rows) {
  for (std::int32_t& row : rows) {
    std::int32_t& place = places_[static_cast<std::size_t>(row)];
    if (place < 0) {
      place = static_cast<std::int32_t>(rows_.size());
      rows_.push_back(row);
    }
    row = place;
  }
  values_.resize(rows_.size() * static_cast<std::size_t>(table_[1]), 0.0F);
  return {values_.data(), DType::f32, {static_cast<std::int64_t>(rows_.size()), table_[1]}};
}

void RowGradient::add(const RowGradient& other) {
  std::vector<std::int32_t> places(other.rows_);
  const View to = touch(places);
  const ConstView from = other.values();
  for (std::size_t i = 0; i < places.size(); ++i) {
    add_values(to.row<float>(places[i]), from.row<float>(static_cast<std::int64_t>(i)), to.cols());
  }
}

void RowGradient::clear() {
  for (const std::int32_t row : rows_) places_[static_cast<std::size_t>(row)] = -1;
  rows_.clear();
  values_.clear();
}

Tensor& Gradients::of(const Parameter& parameter) {
  Entry& entry = entries_[&parameter];
  if (!entry.array || entry.array.shape() != parameter.value.shape()) {
    entry.array = Tensor::zeros(parameter.value.shape());
  }
  entry.used = true;
  return entry.array;
}

RowGradient& Gradients::rows_of(const Parameter& parameter) {
  Entry& entry = entries_[&parameter];
  if (!entry.rows) entry.rows = std::make_unique<RowGradient>(parameter.value.shape());
  entry.rows_used = true;
  return *entry.rows;
}

const RowGradient* Gradients::find_rows(const Parameter& parameter) const {
  const auto found = entries_.find(&parameter);
  return found == entries_.end() || !found->second.rows_used ? nullptr : found->second.rows.get();
}

const Tensor* Gradients::find(const Parameter& parameter) const {
  const auto found = entries_.find(&parameter);
  if (found == entries_.end()) return nullptr;
  Entry& entry = found->second;
  if (!entry.rows_used) return entry.used ? &entry.array : nullptr;
  write_out(entry, parameter.value.shape());
  return &entry.array;
}

// The rows that were written the last time become zeros again: a new table for each step would cost
// more than all the rest.
void Gradients::write_out(Entry& entry, Shape shape) {
  if (!entry.array || entry.array.shape() != shape) entry.array = Tensor::zeros(shape);
  const View table = entry.array.view();
  for (const std::int32_t row : entry.written) {
    std::fill_n(table.row<float>(row), table.cols(), 0.0F);
  }
  const ConstView values = entry.rows->values();
  entry.written.assign(entry.rows->rows().begin(), entry.rows->rows().end());
  for (std::size_t i = 0; i < entry.written.size(); ++i) {
    std::copy_n(values.row<float>(static_cast<std::int64_t>(i)), values.cols(),
                table.row<float>(entry.written[i]));
  }
}

std::span<float> Gradients::numbers(const Parameter& parameter) {
  const auto found = entries_.find(&parameter);
  if (found == entries_.end()) return {};
  Entry& entry = found->second;
  if (!entry.rows_used && !entry.used) return {};
  const View view = entry.rows_used ? entry.rows->touch({}) : entry.array.view();
  return {view.as<float>(), static_cast<std::size_t>(view.size())};
}

void Gradients::add_entry(const Parameter& parameter, std::span<const Gradients* const> others) {
  for (const Gradients* other : others) {
    const auto found = other->entries_.find(&parameter);
    if (found == other->entries_.end()) continue;
    const Entry& entry = found->second;
    if (entry.rows_used) rows_of(parameter).add(*entry.rows);
    if (!entry.used) continue;
    add_values(of(parameter).data<float>(), entry.array.data<float>(), entry.array.size());
  }
}

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

void Gradients::clear() {
  for (auto& [_, entry] : entries_) {
    if (entry.used) entry.array.fill_zero();
    if (entry.rows_used) entry.rows->clear();
    entry.used = entry.rows_used = false;
  }
}

void Gradients::scale(float factor) {
  const auto scale_all = [factor](View values) {
    float* value = values.as<float>();
    for (std::int64_t i = 0; i < values.size(); ++i) value[i] *= factor;
  };
  for (auto& [_, entry] : entries_) {
    if (entry.used) scale_all(entry.array.view());
    if (entry.rows_used) scale_all(entry.rows->touch({}));
  }
}

}  // namespace weft
