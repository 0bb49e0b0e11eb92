#include "framework/nn/window_rows.h"

#include <algorithm>

#include "registry/base/error.h"

namespace weft {

WindowRows::WindowRows(std::span<const std::int64_t> lengths, int window, int depth,
                       std::int64_t pad, Sides sides)
    : columns_(2 * std::int64_t{window} + 1), padded_rows_(pad), sides_(sides) {
  if (pad < std::int64_t{window} * depth) {
    throw Error(ErrorKind::internal, "padding is narrower than what the window layers see");
  }
  for (const std::int64_t length : lengths) padded_rows_ += length + pad;
  for (int level = 0; level <= depth; ++level) {
    const std::int64_t before = level == 0 ? 0 : rows(level - 1);
    Level& added = levels_.emplace_back();
    added.runs = runs_of(lengths, level == 0 ? 0 : std::int64_t{window} * (depth - level), pad);
    added.rows = rows_of(added.runs);
    added.place = take(added.rows);
    if (level == 0) continue;
    added.seen = take(added.rows * columns_);
    if (sides == Sides::both_sides) added.seen_by = take(before * columns_);
  }
}

std::int64_t WindowRows::take(std::int64_t numbers) {
  size_ += numbers;
  return size_ - numbers;
}

void WindowRows::fill(std::int32_t* numbers) {
  numbers_ = numbers;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    fill_places(level.runs, numbers + level.place);
    if (i == 0) continue;
    const Runs& before = levels_[i - 1].runs;
    fill_neighbours(level.runs, before, 1, numbers + level.seen);
    if (sides_ != Sides::both_sides) continue;
    fill_neighbours(before, level.runs, -1, numbers + level.seen_by);
  }
}

// Rows within `reach` of a document, each once.
WindowRows::Runs WindowRows::runs_of(std::span<const std::int64_t> lengths, std::int64_t reach,
                                     std::int64_t pad) {
  Runs runs;
  std::int64_t begin = pad, done = 0, rows = 0;
  for (const std::int64_t length : lengths) {
    const std::int64_t end = begin + length;
    const std::int64_t from = std::max(done, begin - reach), count = end + reach - from;
    if (length > 0 && count > 0) {
      if (!runs.empty() && from == done) {
        runs.back().count += static_cast<std::int32_t>(count);
      } else {
        runs.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(rows),
                        static_cast<std::int32_t>(count)});
      }
      rows += count;
      done = from + count;
    }
    begin = end + pad;
  }
  return runs;
}

std::int64_t WindowRows::rows_of(const Runs& runs) {
  return runs.empty() ? 0 : std::int64_t{runs.back().row} + runs.back().count;
}

void WindowRows::fill_places(const Runs& runs, std::int32_t* to) {
  for (const Run& run : runs) {
    for (std::int32_t i = 0; i < run.count; ++i) *to++ = run.place + i;
  }
}

namespace {

// Windows of so many rows that follow each other, the first of which is `middle`. Gives the end.
std::int32_t* fill_windows(std::int32_t middle, std::int32_t count, std::int32_t window,
                           std::int32_t direction, std::int32_t* out) {
  if (window == 1) {  // the usual one, without a loop for three numbers
    for (std::int32_t i = 0; i < count; ++i, out += 3) {
      out[0] = middle + i - direction;
      out[1] = middle + i;
      out[2] = middle + i + direction;
    }
    return out;
  }
  for (std::int32_t i = 0; i < count; ++i) {
    for (std::int32_t c = -window; c <= window; ++c) *out++ = middle + i + direction * c;
  }
  return out;
}

}  // namespace

// For each row of `from` and each column the row of `to` that stands so far away, -1 where none
// does. Runs of one side meet those of the other in their order; most windows lie within one.
void WindowRows::fill_neighbours(const Runs& from, const Runs& to, int direction,
                                 std::int32_t* table) const {
  std::int32_t* out = table;
  const auto window = static_cast<std::int32_t>(columns_ / 2);
  auto met = to.begin();  // the first run that does not end before the window
  const auto row_at = [&](std::int32_t place) {
    for (auto run = met; run != to.end() && run->place <= place; ++run) {
      if (place < run->place + run->count) return run->row + place - run->place;
    }
    return -1;
  };
  for (const Run& run : from) {
    const std::int32_t end = run.place + run.count;
    for (std::int32_t place = run.place; place < end; ++place) {
      while (met != to.end() && met->place + met->count <= place - window) ++met;
      if (met != to.end() && met->place <= place - window) {
        const std::int32_t until = std::min(end, met->place + met->count - window);
        out = fill_windows(met->row + place - met->place, std::max(until - place, 0), window,
                           direction, out);
        place = std::max(place, until);
        if (place == end) break;
      }
      for (std::int32_t c = -window; c <= window; ++c) *out++ = row_at(place + direction * c);
    }
  }
}

}  // namespace weft
