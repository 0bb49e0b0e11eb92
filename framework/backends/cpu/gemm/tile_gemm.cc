#include "framework/backends/cpu/gemm/tile_gemm.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/amx.h"
#include "framework/backends/cpu/gemm/amx_panel.h"
#include "framework/backends/cpu/gemm/dot_unit.h"

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
      !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512bf16")) {
    return false;
  }
  std::uint32_t a = 7, b = 0, c = 0, d = 0;
  __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  // Leaf 7 of CPUID: bit 24 of EDX stands for AMX-TILE, bit 22 for AMX-BF16.
  constexpr std::uint32_t kTilesAndBf16 = 1U << 24 | 1U << 22;
  return (d & kTilesAndBf16) == kTilesAndBf16;
}

// The state of the tiles is large, so that Linux (5.16) wants to be asked for it.
bool is_permitted() {
  // ARCH_REQ_XCOMP_PERM, and the number of the state component XTILEDATA. Denied by older kernels
  // and by some sandboxes: the vector unit then does the work.
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

// A GEMM of factors whose numbers are of one format, in which both are packed.
struct Gemm {
  const Factor &a, &b;
  const GemmSums& to;
  const TaskRunner* tasks;

  NumberFormat format() const { return a.format; }
  // Where its sums start from.
  Start start() const {
    if (to.bias != nullptr) return Start::bias;
    return to.beta == 0.0F ? Start::zero : Start::sums;
  }
};

// The loops of a blocked GEMM: panels of the right factor are packed once and stay in the second
// cache, while each panel of the left factor is packed and passes all of them from the first cache.
// Columns [column, column + columns) of c, summed over depths [d, d + depth). Threads share the
// panels of the right factor while these are packed, then those of the left one.
void multiply_columns(const Gemm& p, std::int64_t column, std::int64_t columns, std::int64_t d,
                      std::int64_t depth, Start start) {
  const std::int64_t steps = steps_of(depth), panel_words = steps * step_words(p.format());
  const ScratchArray<std::uint32_t> right(ScratchUse::right, panel_words * panels_of(columns));
  const auto pack_right = [&](std::size_t i) {
    const auto panel = static_cast<std::int64_t>(i);
    pack_tile_panel(p.b, column + panel * kPanelLines, d, depth, TileRows::pairs,
                    right + panel * panel_words);
  };
  const auto multiply_rows = [&](std::size_t i) {
    const Tiles tiles;
    const ScratchArray<std::uint32_t> left(ScratchUse::left, panel_words);
    const std::int64_t row = static_cast<std::int64_t>(i) * kPanelLines;
    pack_tile_panel(p.a, row, d, depth, TileRows::lines, left);
    for (std::int64_t j = 0; j < columns; j += kPanelLines) {
      const std::int64_t at = column + j;
      multiply_panels(p.format(), left, right + j / kPanelLines * panel_words, steps,
                      {p.to.c + row * p.to.ldc + at, p.to.ldc, p.a.lines - row, columns - j, start,
                       p.to.bias == nullptr ? nullptr : p.to.bias + at});
    }
  };
  run_tasks(p.tasks, static_cast<std::size_t>(panels_of(columns)), pack_right);
  run_tasks(p.tasks, static_cast<std::size_t>(panels_of(p.a.lines)), multiply_rows);
}

}  // namespace

bool has_tiles() {
  static const bool has = !is_switched_off() && has_instructions() && is_permitted();
  return has;
}

bool has_panels(NumberFormat format) {
  return has_tiles() || (format == NumberFormat::bf16 && has_dots());
}

void tile_multiply(const Factor& a, const Factor& b, const GemmSums& to, const TaskRunner* tasks) {
  const Gemm p{a, b, to, tasks_for(a.lines * b.lines * a.depth, tasks)};
  if (p.start() == Start::sums) scale_result(to, a.lines, b.lines);
  // Slices of the depth are added in order, each to the sums of those before, so the order of
  // additions is that of the depth. A depth of 0 still runs once: it writes the bias or zeros.
  for (std::int64_t d = 0; d < a.depth || d == 0; d += kMostDepth) {
    const std::int64_t depth = std::min(kMostDepth, a.depth - d);
    const std::int64_t steps = std::max<std::int64_t>(1, steps_of(depth));
    // As many columns as keep the packed right factor within kMostWords, and at least one panel.
    const std::int64_t at_once =
        std::max(kPanelLines, kMostWords / (steps * step_words(p.format())) * kPanelLines);
    const Start start = d == 0 ? p.start() : Start::sums;
    for (std::int64_t column = 0; column < b.lines; column += at_once) {
      multiply_columns(p, column, std::min(at_once, b.lines - column), d, depth, start);
    }
  }
}

#else

bool has_tiles() {
  return false;
}

bool has_panels(NumberFormat) {
  return false;
}

void tile_multiply(const Factor&, const Factor&, const GemmSums&, const TaskRunner*) {}

#endif

}  // namespace weft::cpu
