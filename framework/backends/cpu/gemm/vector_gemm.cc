#include "framework/backends/cpu/gemm/vector_gemm.h"

#include <algorithm>

#include "framework/backends/cpu/base/scratch_array.h"
#include "framework/backends/cpu/gemm/vector_panel.h"

namespace weft::cpu {

namespace {

// Depths that are summed up at once: a panel of so many stays in the second cache.
constexpr std::int64_t kMostDepth = 384;

// Columns of all panels but the last: about as many in each, so that none holds a few only.
std::int64_t columns_of_panels(const VectorUnit& unit, std::int64_t columns) {
  const std::int64_t panels = unit.panels(columns), each = (columns + panels - 1) / panels;
  return std::min(unit.columns, (each + unit.lanes - 1) / unit.lanes * unit.lanes);
}

// The start of the sums of the whole GEMM.
// A bias has stride 0: every row starts from the same numbers.
void set_start(const GemmArgs& p, PanelGemm& sums) {
  if (p.bias != nullptr) {
    sums.start = p.bias;
    sums.start_stride = 0;
  } else if (p.beta != 0.0F) {
    sums.start = p.c;
    sums.start_stride = p.ldc;
  }
}

// Depths [d, d + depth) of all columns. No panel depends on another one.
void add_depths(const VectorUnit& unit, const GemmArgs& p, std::int64_t d, std::int64_t depth) {
  const Factor b{p.b, p.ldb, p.transpose_b, p.n, p.k};
  PanelGemm all{.a = p.a + d * (p.transpose_a ? p.lda : 1),
                .a_stride = p.lda,
                .transpose_a = p.transpose_a,
                .rows = p.m,
                .depth = depth,
                // Slices of the depth are added in order; each later one starts from the sums in
                // c.
                .start = d == 0 ? nullptr : p.c,
                .start_stride = p.ldc,
                .c = p.c,
                .c_stride = p.ldc};
  if (d == 0) set_start(p, all);
  const std::int64_t columns = columns_of_panels(unit, p.n);
  const auto multiply_panel = [&](std::size_t i) {
    const std::int64_t j = static_cast<std::int64_t>(i) * columns;
    const ScratchArray<float> panel(ScratchUse::right,
                                    std::max<std::int64_t>(1, depth) * unit.columns);
    pack_panel(b, j, unit.columns, d, depth, panel);
    PanelGemm sums = all;
    sums.panel = panel;
    sums.columns = std::min(columns, p.n - j);
    sums.c += j;
    if (sums.start != nullptr) sums.start += j;
    unit.multiply(sums);
  };
  run_tasks(tasks_for(p.m * p.n * p.k, p.tasks),
            static_cast<std::size_t>((p.n + columns - 1) / columns), multiply_panel);
}

}  // namespace

void vector_multiply(const VectorUnit& unit, const GemmArgs& p) {
  if (p.bias == nullptr && p.beta != 0.0F) scale_result(sums_of(p), p.m, p.n);
  for (std::int64_t d = 0; d < p.k || d == 0; d += kMostDepth) {
    add_depths(unit, p, d, std::min(kMostDepth, p.k - d));
  }
}

}  // namespace weft::cpu
