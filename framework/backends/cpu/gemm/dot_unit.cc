#include "framework/backends/cpu/gemm/dot_unit.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "framework/backends/cpu/base/avx512_intrinsics.h"
#include "framework/backends/cpu/gemm/amx_panel.h"

namespace weft::cpu {

#ifdef WEFT_HAS_AVX512
namespace {

// Rows of a block whose sums stay in registers together, two vectors each.
constexpr std::int64_t kRows = 8;
static_assert(kTileLines % kRows == 0);

bool is_switched_off() {
  const char* dots = std::getenv("WEFT_DOTS");
  return std::getenv("OPENBLAS_CORETYPE") != nullptr ||
         (dots != nullptr && std::string_view(dots) == "0");
}

// Of a block's columns those that a vector holds, and the vectors.
struct Columns {
  __mmask16 lanes[2];

  explicit Columns(std::int64_t count) {
    for (int j = 0; j < 2; ++j) {
      const std::int64_t left = std::clamp<std::int64_t>(count - j * kTileLines, 0, kTileLines);
      lanes[j] = static_cast<__mmask16>((1U << left) - 1U);
    }
  }
};

// Where the sums of a row come from; null: zeros.
const float* start_of(const Block& block, std::int64_t row) {
  if (block.start == Start::zero) return nullptr;
  return block.start == Start::bias ? block.bias : block.c + row * block.stride;
}

// Rows [first, first + kRows) of the block. Lines that the panel has beyond the block's last row
// are multiplied and left.
WEFT_AVX512_BF16 void multiply_rows(const std::uint32_t* left, const std::uint32_t* right,
                                    std::int64_t steps, const Block& block, std::int64_t first,
                                    const Columns& columns) {
  // 8 rows of two vectors are 16 sums in registers; with two vectors of the right factor and one
  // number of the left, all of it fits into the 32 registers of AVX-512.
  const std::int64_t rows = std::min(kRows, block.rows - first);
  __m512 sums[kRows][2];
  for (std::int64_t i = 0; i < kRows; ++i) {
    const float* start = i < rows ? start_of(block, first + i) : nullptr;
    for (int j = 0; j < 2; ++j) {
      sums[i][j] = start == nullptr
                       ? _mm512_setzero_ps()
                       : _mm512_maskz_loadu_ps(columns.lanes[j], start + j * kTileLines);
    }
  }
  // Panels have the layout of tiles (amx_panel.h): `first` is found in the first or the second
  // tile.
  left += first / kTileLines * kTileWords + first % kTileLines * kTileLines;
  for (std::int64_t step = 0; step < steps; ++step, left += 2 * kTileWords, right += kTileWords) {
    for (std::int64_t pair = 0; pair < kTileLines; ++pair, right += kTileLines) {
      const auto b0 = reinterpret_cast<__m512bh>(_mm512_load_si512(right));
      const auto b1 = reinterpret_cast<__m512bh>(_mm512_load_si512(right + kTileWords));
#pragma GCC unroll 8
      for (std::int64_t i = 0; i < kRows; ++i) {
        const auto a = reinterpret_cast<__m512bh>(
            _mm512_set1_epi32(static_cast<int>(left[i * kTileLines + pair])));
        sums[i][0] = _mm512_dpbf16_ps(sums[i][0], a, b0);
        sums[i][1] = _mm512_dpbf16_ps(sums[i][1], a, b1);
      }
    }
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    float* to = block.c + (first + i) * block.stride;
    for (int j = 0; j < 2; ++j) {
      _mm512_mask_storeu_ps(to + j * kTileLines, columns.lanes[j], sums[i][j]);
    }
  }
}

}  // namespace

bool has_dot_instruction() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512bf16");
}

bool has_dots() {
  static const bool has = has_dot_instruction() && __builtin_cpu_is("amd") && !is_switched_off();
  return has;
}

WEFT_AVX512_BF16 void multiply_panels_by_dots(const std::uint32_t* left, const std::uint32_t* right,
                                              std::int64_t steps, const Block& block) {
  const Columns columns(block.columns);
  for (std::int64_t i = 0; i < block.rows; i += kRows) {
    multiply_rows(left, right, steps, block, i, columns);
  }
}

#else

bool has_dot_instruction() {
  return false;
}

bool has_dots() {
  return false;
}

void multiply_panels_by_dots(const std::uint32_t*, const std::uint32_t*, std::int64_t,
                             const Block&) {}

#endif

}  // namespace weft::cpu
