// Rows that are computed one by one, given to several threads in pieces.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "framework/tensor/task_runner.h"

namespace weft::cpu {

// Calls compute(first, count) for pieces of `rows` rows, on any of the threads. A piece has at
// least `fewest_numbers` of them, in rows of `width`: less is done before another thread has begun.
template <class Compute>
void for_row_pieces(const TaskRunner* tasks, std::int64_t rows, std::int64_t width,
                    std::int64_t fewest_numbers, const Compute& compute) {
  if (rows == 0) return;
  const std::int64_t each =
      std::max<std::int64_t>(1, fewest_numbers / std::max<std::int64_t>(1, width));
  const std::int64_t pieces = std::max<std::int64_t>(1, rows / each);
  // The first rows % pieces pieces have a row more.
  const auto first_of = [&](std::int64_t i) {
    return i * (rows / pieces) + std::min(i, rows % pieces);
  };
  run_tasks(tasks, static_cast<std::size_t>(pieces), [&](std::size_t i) {
    const auto piece = static_cast<std::int64_t>(i);
    compute(first_of(piece), first_of(piece + 1) - first_of(piece));
  });
}

}  // namespace weft::cpu
