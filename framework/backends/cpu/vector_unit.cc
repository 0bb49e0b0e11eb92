#include "framework/backends/cpu/vector_unit.h"

#include <cstdlib>
#include <vector>

#include "framework/backends/cpu/chosen_rows.h"
#include "framework/backends/cpu/vector_block.h"

namespace weft::cpu {

namespace {

#if defined(__x86_64__) && defined(__GNUC__)

[[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]] void multiply_long(const PanelProduct& p) {
  multiply_panel<LongVectors>(p);
}

[[gnu::target("avx512f,avx512vl,avx512dq,avx512bw")]] void sum_long(const RowSums& s) {
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
    units.push_back({"AVX-512", kColumnsOfPanel<LongVectors>, multiply_long, sum_long});
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    units.push_back({"AVX2", kColumnsOfPanel<ShortVectors>, multiply_short, sum_short});
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
