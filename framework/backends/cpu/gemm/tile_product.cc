#include "framework/backends/cpu/gemm/tile_product.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/amx.h"
#include "framework/backends/cpu/gemm/tile_strip.h"

#ifdef WEFT_HAS_AMX
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace weft::cpu {

#ifdef WEFT_HAS_AMX
namespace {

// Depths that are summed up at once, and words of the right factor that are packed at once: they
// stay in the second cache while the left factor passes.
constexpr std::int64_t kMostDepth = 512;
constexpr std::int64_t kMostWords = 1 << 18;

bool is_switched_off() {
  const char* amx = std::getenv("WEFT_AMX");
  return std::getenv("OPENBLAS_CORETYPE") != nullptr ||
         (amx != nullptr && std::string_view(amx) == "0");
}

// Whether the processor has the instructions.
bool has_instructions() {
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq")) {
    return false;
  }
  std::uint32_t a = 7, b = 0, c = 0, d = 0;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  constexpr std::uint32_t kTilesAndBf16 = 1U << 24 | 1U << 22;
  return (d & kTilesAndBf16) == kTilesAndBf16;
}

// The state of the tiles is large, so that Linux (5.16) wants to be asked for it.
bool is_permitted() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

// Columns [column, column + columns) of c, summed over depths [d, d + depth).
void multiply_columns(const Product& p, std::int64_t column, std::int64_t columns, std::int64_t d,
                      std::int64_t depth, Start start) {
  const Factor a{p.a, p.lda, !p.transpose_a, p.m, p.k};
  const Factor b{p.b, p.ldb, p.transpose_b, p.n, p.k};
  const std::int64_t steps = steps_of(depth), strip = steps * kStepWords;
  const ScratchArray<std::uint32_t> left(ScratchUse::left, strip);
  const ScratchArray<std::uint32_t> right(ScratchUse::right, strip * strips_of(columns));
  for (std::int64_t j = 0; j < columns; j += kStripLines) {
    pack_strip(b, column + j, d, depth, TileRows::pairs, right + j / kStripLines * strip);
  }
  for (std::int64_t i = 0; i < p.m; i += kStripLines) {
    pack_strip(a, i, d, depth, TileRows::lines, left);
    for (std::int64_t j = 0; j < columns; j += kStripLines) {
      const std::int64_t at = column + j;
      multiply_strips(left, right + j / kStripLines * strip, steps,
                      {p.c + i * p.ldc + at, p.ldc, p.m - i, columns - j, start,
                       p.bias == nullptr ? nullptr : p.bias + at});
    }
  }
}

// What the sums of the whole product start from.
Start start_of(const Product& p) {
  if (p.bias != nullptr) return Start::bias;
  return p.beta == 0.0F ? Start::zero : Start::sums;
}

}  // namespace

bool has_tiles() {
  static const bool has = !is_switched_off() && has_instructions() && is_permitted();
  return has;
}

void tile_multiply(const Product& p) {
  const Tiles tiles;
  if (start_of(p) == Start::sums) scale_result(p);
  for (std::int64_t d = 0; d < p.k || d == 0; d += kMostDepth) {
    const std::int64_t depth = std::min(kMostDepth, p.k - d);
    const std::int64_t steps = std::max<std::int64_t>(1, steps_of(depth));
    const std::int64_t at_once =
        std::max(kStripLines, kMostWords / (steps * kStepWords) * kStripLines);
    const Start start = d == 0 ? start_of(p) : Start::sums;
    for (std::int64_t column = 0; column < p.n; column += at_once) {
      multiply_columns(p, column, std::min(at_once, p.n - column), d, depth, start);
    }
  }
}

#else

bool has_tiles() {
  return false;
}

void tile_multiply(const Product&) {}

#endif

}  // namespace weft::cpu
