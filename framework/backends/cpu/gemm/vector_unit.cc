#include "framework/backends/cpu/gemm/vector_unit.h"

#include <cstdlib>
#include <vector>

#include "framework/backends/cpu/base/avx512.h"
#include "framework/backends/cpu/gemm/chosen_rows.h"
#include "framework/backends/cpu/gemm/turn_winners.h"
#include "framework/backends/cpu/gemm/vector_block.h"
#include "framework/backends/cpu/gemm/window_filter.h"
#include "framework/backends/cpu/gemm/won_rows.h"

namespace weft::cpu {

namespace {

#ifdef WEFT_HAS_AVX512

// A function for each number of vectors: in one for all, registers would not do for any.
template <int kVectors, bool kTransposed>
WEFT_AVX512 void multiply_long(const PanelGemm& p) {
  multiply_columns<LongVectors, kVectors, kTransposed>(p);
}

WEFT_AVX512 void sum_long(const RowSums& s) {
  sum_chosen_rows<LongVectors>(s);
}
WEFT_AVX512 void sum_won_long(const WonRows& s) {
  sum_won_rows<LongVectors>(s);
}

WEFT_AVX512 void filter_rows_long(const FilteredRows& tile) {
  filter_rows<LongVectors>(tile);
}
WEFT_AVX512 void filter_sums_long(const FilteredSums& tile) {
  filter_sums<LongVectors>(tile);
}
WEFT_AVX512 void filter_weights_long(float* parts, std::int64_t part) {
  filter_weights<LongVectors>(parts, part);
}

template <int kVectors, bool kTransposed>
[[gnu::target("avx2,fma")]] void multiply_short(const PanelGemm& p) {
  multiply_columns<ShortVectors, kVectors, kTransposed>(p);
}

[[gnu::target("avx2,fma")]] void sum_short(const RowSums& s) {
  sum_chosen_rows<ShortVectors>(s);
}
[[gnu::target("avx2,fma")]] void sum_won_short(const WonRows& s) {
  sum_won_rows<ShortVectors>(s);
}

[[gnu::target("avx2,fma")]] void filter_rows_short(const FilteredRows& tile) {
  filter_rows<ShortVectors>(tile);
}
[[gnu::target("avx2,fma")]] void filter_sums_short(const FilteredSums& tile) {
  filter_sums<ShortVectors>(tile);
}
[[gnu::target("avx2,fma")]] void filter_weights_short(float* parts, std::int64_t part) {
  filter_weights<ShortVectors>(parts, part);
}

using Multiply = void (*)(const PanelGemm&);
using MultiplyAll = Multiply[2][kVectorsOfPanel];  // by whether a is transposed, and by vectors

constexpr MultiplyAll kMultiplyLong = {
    {multiply_long<1, false>, multiply_long<2, false>, multiply_long<3, false>},
    {multiply_long<1, true>, multiply_long<2, true>, multiply_long<3, true>}};
constexpr MultiplyAll kMultiplyShort = {
    {multiply_short<1, false>, multiply_short<2, false>, multiply_short<3, false>},
    {multiply_short<1, true>, multiply_short<2, true>, multiply_short<3, true>}};

// As few vectors as hold the columns.
template <class V, const MultiplyAll& kMultiply>
void multiply(const PanelGemm& p) {
  if (p.columns > 0) kMultiply[p.transpose_a ? 1 : 0][(p.columns - 1) / V::kLanes](p);
}

std::vector<VectorUnit> units_of_processor() {
  std::vector<VectorUnit> units;
  // Wider vectors come first: the first unit of the list is used.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    units.push_back({"AVX-512", kColumnsOfPanel<LongVectors>, LongVectors::kLanes,
                     multiply<LongVectors, kMultiplyLong>, sum_long, turn_winners_long,
                     sum_won_long, filter_rows_long, filter_sums_long, filter_weights_long});
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    units.push_back({"AVX2", kColumnsOfPanel<ShortVectors>, ShortVectors::kLanes,
                     multiply<ShortVectors, kMultiplyShort>, sum_short, turn_winners_short,
                     sum_won_short, filter_rows_short, filter_sums_short, filter_weights_short});
  }
  return units;
}

#else

std::vector<VectorUnit> units_of_processor() {
  return {};
}

#endif

}  // namespace

std::span<const VectorUnit> vector_units() {
  static const std::vector<VectorUnit>& units = *new std::vector<VectorUnit>(units_of_processor());
  return units;
}

const VectorUnit* vector_unit() {
  static const bool is_used =
      !vector_units().empty() && std::getenv("OPENBLAS_CORETYPE") == nullptr;
  return is_used ? vector_units().data() : nullptr;
}

}  // namespace weft::cpu
