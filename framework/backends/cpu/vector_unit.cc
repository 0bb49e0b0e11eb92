#include "framework/backends/cpu/vector_unit.h"

#include <cstdlib>
#include <vector>

#include "framework/backends/cpu/avx512.h"
#include "framework/backends/cpu/chosen_rows.h"
#include "framework/backends/cpu/vector_block.h"
#include "framework/backends/cpu/winner_lists.h"

namespace weft::cpu {

namespace {

#ifdef WEFT_HAS_AVX512

WEFT_AVX512 void multiply_long(const PanelProduct& p) {
  multiply_panel<LongVectors>(p);
}

WEFT_AVX512 void sum_long(const RowSums& s) {
  sum_chosen_rows<LongVectors>(s);
}

[[gnu::target("avx2,fma")]] void multiply_short(const PanelProduct& p) {
  multiply_panel<ShortVectors>(p);
}

[[gnu::target("avx2,fma")]] void sum_short(const RowSums& s) {
  sum_chosen_rows<ShortVectors>(s);
}

std::vector<VectorUnit> units_of_processor() {
  std::vector<VectorUnit> units;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
    units.push_back({"AVX-512", kColumnsOfPanel<LongVectors>, multiply_long, sum_long,
                     list_winners_of_sixteen});
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    units.push_back(
        {"AVX2", kColumnsOfPanel<ShortVectors>, multiply_short, sum_short, list_winners_in_order});
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
  static const std::vector<VectorUnit> units = units_of_processor();
  return units;
}

const VectorUnit* vector_unit() {
  static const bool is_used =
      !vector_units().empty() && std::getenv("OPENBLAS_CORETYPE") == nullptr;
  return is_used ? vector_units().data() : nullptr;
}

}  // namespace weft::cpu
