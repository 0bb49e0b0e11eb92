// Up to four dimensions, kept in place.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "registry/base/export.h"

namespace weft {

class WEFT_API Shape {
 public:
  static constexpr int max_rank = 4;

  Shape() = default;  // rank 0, no elements
  Shape(std::initializer_list<std::int64_t> dims) {
    assert(dims.size() <= max_rank);
    for (const std::int64_t dim : dims) dims_[place(rank_++)] = dim;
  }

  int rank() const { return rank_; }
  std::int64_t operator[](int axis) const { return dims_[place(axis)]; }
  // Elements in all; 0 for rank 0.
  std::int64_t size() const {
    if (rank_ == 0) return 0;
    std::int64_t product = 1;
    for (int axis = 0; axis < rank_; ++axis) product *= dims_[place(axis)];
    return product;
  }
  bool operator==(const Shape& other) const {
    if (rank_ != other.rank_) return false;
    for (int axis = 0; axis < rank_; ++axis) {
      if (dims_[place(axis)] != other.dims_[place(axis)]) return false;
    }
    return true;
  }
  // "(5000, 96)"
  std::string str() const;

 private:
  static constexpr std::size_t place(int axis) { return static_cast<std::size_t>(axis); }

  std::array<std::int64_t, max_rank> dims_{};
  int rank_ = 0;
};

}  // namespace weft
