#include "framework/training/rank_mean.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "framework/precision/element_type.h"

namespace weft {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 22;

// Some numbers of an array, as a matrix of one row.
View part_of(const View& array, std::size_t begin, std::size_t count) {
  auto* data = static_cast<std::byte*>(array.data) + begin * size_of(array.dtype);
  return {data, array.dtype, {1, static_cast<std::int64_t>(count)}};
}

// Numbers of consecutive arrays that are added up together.
class Bucket {
 public:
  explicit Bucket(Communicator& comm) : comm_(comm) {}

  // Small arrays are joined and large ones cut: the number of exchanges depends on the bytes alone,
  // and the memory for sums is bounded.
  void add(const View& array) {
    const auto size = static_cast<std::size_t>(array.size());
    for (std::size_t begin = 0; begin < size;) {
      const std::size_t count = std::min(size - begin, kMostAtOnce - used_);
      parts_.push_back(part_of(array, begin, count));
      used_ += count;
      begin += count;
      if (used_ == kMostAtOnce) flush();
    }
  }

  void flush() {
    if (used_ == 0) return;
    auto sum = std::make_shared<std::vector<float>>(used_);
    for_each_part(*sum, [](const View& part, const View& here) { cast_rows(part, here); });
    // Every rank receives the same sums, rounds and divides alike, and so holds the same bits.
    comm_.all_reduce({sum->data(), sum->size(), DType::f32}, ReduceOp::sum, sum).wait();
    const auto ranks = static_cast<float>(comm_.size());
    for (float& number : *sum) number /= ranks;
    for_each_part(*sum, [](const View& part, const View& here) { cast_rows(here, part); });
    parts_.clear();
    used_ = 0;
  }

 private:
  template <class Action>
  void for_each_part(std::vector<float>& sum, Action action) const {
    float* at = sum.data();
    for (const View& part : parts_) {
      action(part, View(at, DType::f32, part.shape));
      at += part.size();
    }
  }

  Communicator& comm_;
  std::vector<View> parts_;
  std::size_t used_ = 0;
};

}  // namespace

void average_over_ranks(Communicator& comm, std::span<const View> arrays) {
  Bucket bucket(comm);
  for (const View& array : arrays) bucket.add(array);
  bucket.flush();
}

}  // namespace weft
