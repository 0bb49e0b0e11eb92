#include "framework/nn/window_rows.h"

#include <algorithm>

#include "registry/base/error.h"

namespace weft {

WindowRows::WindowRows(std::span<const std::int64_t> lengths, int window, int depth,
                       std::int64_t pad)
    : window_(window), padded_rows_(pad) {
  if (pad < std::int64_t{window} * depth) {
    throw Error(ErrorKind::internal, "padding is narrower than what the window layers see");
  }
  for (const std::int64_t length : lengths) padded_rows_ += length + pad;
  add_level(lengths, 0, pad);
  seen_.emplace_back();
  for (int level = 1; level <= depth; ++level) {
    add_level(lengths, std::int64_t{window} * (depth - level), pad);
    add_seen(level);
  }
}

// Rows within `reach` of a document, each once.
void WindowRows::add_level(std::span<const std::int64_t> lengths, std::int64_t reach,
                           std::int64_t pad) {
  std::vector<std::int32_t>& places = places_.emplace_back();
  std::int64_t begin = pad, done = 0;
  for (const std::int64_t length : lengths) {
    const std::int64_t end = begin + length;
    if (length > 0) {
      for (done = std::max(done, begin - reach); done < end + reach; ++done) {
        places.push_back(static_cast<std::int32_t>(done));
      }
    }
    begin = end + pad;
  }
}

void WindowRows::add_seen(int level) {
  std::vector<std::int32_t> row_at(static_cast<std::size_t>(padded_rows_), -1);
  std::int32_t row = 0;
  for (const std::int32_t place : places(level - 1))
    row_at[static_cast<std::size_t>(place)] = row++;
  std::vector<std::int32_t>& seen = seen_.emplace_back();
  seen.reserve(places(level).size() * static_cast<std::size_t>(2 * window_ + 1));
  for (const std::int32_t place : places(level)) {
    for (std::int32_t at = place - window_; at <= place + window_; ++at) {
      const bool is_inside = at >= 0 && at < padded_rows_;
      seen.push_back(is_inside ? row_at[static_cast<std::size_t>(at)] : -1);
    }
  }
}

std::vector<std::int32_t> WindowRows::seen_by(int level) const {
  const ConstView of = seen(level);
  const std::int64_t columns = of.cols();
  std::vector<std::int32_t> by(static_cast<std::size_t>(rows(level - 1) * columns), -1);
  for (std::int64_t i = 0; i < of.size(); ++i) {
    const std::int32_t row = of.as<std::int32_t>()[i];
    if (row < 0) continue;
    by[static_cast<std::size_t>(row * columns + i % columns)] =
        static_cast<std::int32_t>(i / columns);
  }
  return by;
}

ConstView WindowRows::seen(int level) const {
  return {seen_[static_cast<std::size_t>(level)].data(),
          DType::i32,
          {rows(level), 2 * std::int64_t{window_} + 1}};
}

ConstView WindowRows::place(int level) const {
  return {places(level).data(), DType::i32, {rows(level)}};
}

}  // namespace weft
