#include "framework/nn/row_gradient.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "framework/nn/tree_sum.h"
#include "framework/nn/wide_sum.h"
#include "framework/precision/element_type.h"

namespace weft {

namespace {

// The rows of a sum of tables that are kept by rows, and which of the tables have each.
class RowsOfMany {
 public:
  // Tables: one bit each. Shards whose sum has to be a tree come in waves of far fewer.
  static constexpr std::size_t kMost = 64;

  // The first is the sum; it may grow meanwhile.
  explicit RowsOfMany(std::span<const RowGradient* const> all)
      : all_(all), owners_(all.front()->rows().size(), 1), parts_(all.size()) {}

  // Rows of table i stand at these places of the sum.
  void note(std::size_t i, std::span<const std::int32_t> places) {
    for (const std::int32_t place : places) {
      const auto at = static_cast<std::size_t>(place);
      if (at >= owners_.size()) owners_.resize(at + 1, 0);
      owners_[at] |= std::uint64_t{1} << i;
    }
  }
  // `to` has the values of the sum's own rows, and room for the others.
  void add(std::span<const std::int32_t> rows, View to) {
    TreeSum sum(all_.size(), to.cols());
    for (std::size_t at = 0; at < owners_.size(); ++at) {
      const std::uint64_t owners = owners_[at];
      if (owners == 1) continue;  // the sum's alone
      float* own = to.row<float>(static_cast<std::int64_t>(at));
      if (std::has_single_bit(owners)) {
        const auto only = static_cast<std::size_t>(std::countr_zero(owners));
        std::copy_n(part(*all_[only], rows[at]), to.cols(), own);
        continue;
      }
      parts_.front() = (owners & 1U) != 0 ? own : nullptr;
      for (std::size_t i = 1; i < all_.size(); ++i) {
        parts_[i] = (owners >> i & 1U) != 0 ? part(*all_[i], rows[at]) : nullptr;
      }
      sum.add(parts_, own, to.cols());
    }
  }

 private:
  static const float* part(const RowGradient& table, std::int32_t row) {
    return table.values().row<float>(table.place(row));
  }

  std::span<const RowGradient* const> all_;
  std::vector<std::uint64_t> owners_;  // of each row of the sum, bit i: table i has it
  std::vector<const float*> parts_;
};

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

// In 16 bits each row is widened, added to in f32, and rounded once.
void RowGradient::add(const RowGradient& other) {
  const RowGradient* const one[] = {&other};
  if (is_f32() && other.is_f32()) return add(one);
  std::vector<std::int32_t> places(other.rows_);
  const View to = touch(places);
  const ConstView from = other.values();
  for (std::size_t i = 0; i < places.size(); ++i) {
    WideSum sum(to.slice(places[i], 1));
    sum.add(from.slice(static_cast<std::int64_t>(i), 1));
    sum.store();
  }
}

void RowGradient::add(std::span<const RowGradient* const> others) {
  std::vector<const RowGradient*> all = {this};
  all.insert(all.end(), others.begin(), others.end());
  if (all.size() > RowsOfMany::kMost || !std::all_of(all.begin(), all.end(), [](const auto* one) {
        return one == nullptr || one->is_f32();
      })) {
    for (const RowGradient* other : others) {
      if (other != nullptr) add(*other);
    }
    return;
  }
  RowsOfMany rows(all);
  View to;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i] == nullptr) continue;
    std::vector<std::int32_t> places(all[i]->rows_);
    to = make_places(places);
    rows.note(i, places);
  }
  if (to.data != nullptr) rows.add(rows_, to);
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

}  // namespace weft
