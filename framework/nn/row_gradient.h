// The gradient of a table, kept by rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/tensor/tensor.h"
#include "registry/base/export.h"

namespace weft {

// The gradient of a table of which a step touches few rows: only those are kept, in f32 or 16 bits.
class WEFT_API RowGradient {
 public:
  explicit RowGradient(Shape table, DType type = DType::f32);

  DType type() const { return type_; }
  // The rows touched, in the order of their first touch, and their values (rows().size(), width).
  std::span<const std::int32_t> rows() const { return rows_; }
  ConstView values() const;
  // Where a row stands in rows(), or -1.
  std::int32_t place(std::int32_t row) const { return places_[static_cast<std::size_t>(row)]; }

  // Replaces row numbers by their places; rows that are new get zeros. Gives the values to add to.
  View touch(std::span<std::int32_t> rows);
  void add(const RowGradient& other);
  // Adds those of `others` that are not null; in f32 each row as a tree over this one and them.
  void add(std::span<const RowGradient* const> others);
  // From here on the values are f32, those that are there multiplied by `factor`.
  void widen(float factor);
  void clear();
  std::size_t bytes() const { return values_.capacity(); }  // of the values

 private:
  // As `touch`, but numbers of new rows are left over from earlier steps.
  View make_places(std::span<std::int32_t> rows);
  bool is_f32() const { return type_ == DType::f32; }

  Shape table_;
  DType type_;
  std::vector<std::int32_t> places_;  // of every row of the table
  std::vector<std::int32_t> rows_;
  std::vector<std::byte> values_;  // of at least those rows: the others are not in use
};

}  // namespace weft
