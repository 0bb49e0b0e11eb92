#include <algorithm>
#include <array>
#include <vector>

#include "framework/backends/cuda/runtime/gemm_choice.h"

namespace weft::cuda {
namespace {

constexpr std::uint64_t kMostWorkspace = std::uint64_t{32} << 20;

struct Preference {
  cublasLtMatmulPreferenceOpaque_t opaque;

  explicit Preference(const GemmKey& key) {
    check_cublas(cublasLtMatmulPreferenceInit(&opaque));
    set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kMostWorkspace);
    // Without a reduction scheme no algorithm adds parts of one sum in an order that may change.
    const auto schemes = static_cast<std::uint32_t>(CUBLASLT_REDUCTION_SCHEME_NONE);
    set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, schemes);
    // The library's A is our b and its B our a, since it sees transposed matrices.
    const auto bytes = [&](int i) { return static_cast<std::uint32_t>(key.alignment[i]); };
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, bytes(1));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, bytes(0));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, bytes(2));
    set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, bytes(2));
  }
  template <class Value>
  void set(cublasLtMatmulPreferenceAttributes_t attribute, const Value& value) {
    check_cublas(cublasLtMatmulPreferenceSetAttribute(&opaque, attribute, &value, sizeof(value)));
  }
};

// Split-K adds partial sums, how many depends on the device's size; gemm.cu splits long sums
// itself.
bool splits_inner(const cublasLtMatmulAlgo_t& algorithm) {
  std::int32_t parts = 1;
  std::size_t written = 0;
  check_cublas(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                                                    &parts, sizeof(parts), &written));
  return parts > 1;
}

// Whether the library has no such algorithm. Another error is thrown: what it lacks now, memory
// perhaps, says nothing of later calls.
bool is_refused(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE ||
      status == CUBLAS_STATUS_ARCH_MISMATCH) {
    return true;
  }
  check_cublas(status);
  return false;
}

// As the library proposes them, its best guess first.
std::vector<GemmAlgorithm> candidates_for(cublasLtHandle_t handle, const GemmKey& key, bool tf32) {
  GemmLayouts layouts = layouts_of(key, key.tokens());
  GemmDescription description(key, tf32);
  Preference preference(key);
  std::array<cublasLtMatmulHeuristicResult_t, 32> found{};
  int count = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      handle, &description.opaque, &layouts.b.opaque, &layouts.a.opaque, &layouts.c.opaque,
      &layouts.c.opaque, &preference.opaque, static_cast<int>(found.size()), found.data(), &count);
  if (is_refused(status)) return {};
  std::vector<GemmAlgorithm> candidates;
  for (int i = 0; i < count; ++i) {
    if (found[i].state != CUBLAS_STATUS_SUCCESS || splits_inner(found[i].algo)) continue;
    candidates.push_back({found[i].algo, found[i].workspaceSize, tf32});
  }
  return candidates;
}

// Numbers of tokens of a key's GEMMs, odd ones and those at both ends.
std::vector<std::int64_t> some_tokens(const GemmKey& key) {
  if (!key.transpose_a) {
    return {1, 2, 3, 4, 5, 7, 8, 16, 31, 33, 64, 100, 127, 250, 999, 1001, 4098, 16001, 40004};
  }
  const std::int64_t most = key.inner, half = most / 2;
  std::vector<std::int64_t> tokens;
  for (const std::int64_t one : {half + 1, half + 2, half + 3, half + 4, half + half / 2 + 1,
                                 half + half / 2 + 2, most - 3, most - 2, most - 1, most}) {
    if (one > half && one <= most) tokens.push_back(one);
  }
  return tokens;
}

// An algorithm may refuse some numbers of tokens, and needs more memory for some than for others.
bool takes_all(cublasLtHandle_t handle, const GemmKey& key, GemmAlgorithm& candidate) {
  const std::vector<std::int64_t> all = some_tokens(key);
  GemmDescription description(key, candidate.tf32);
  return std::all_of(all.begin(), all.end(), [&](std::int64_t tokens) {
    GemmLayouts layouts = layouts_of(key, tokens);
    cublasLtMatmulHeuristicResult_t result{};
    const cublasStatus_t status = cublasLtMatmulAlgoCheck(
        handle, &description.opaque, &layouts.b.opaque, &layouts.a.opaque, &layouts.c.opaque,
        &layouts.c.opaque, &candidate.algorithm, &result);
    if (is_refused(status) || result.workspaceSize > kMostWorkspace) return false;
    candidate.workspace = std::max(candidate.workspace, result.workspaceSize);
    return true;
  });
}

std::optional<GemmAlgorithm> find_algorithm(cublasLtHandle_t handle, const GemmKey& key,
                                            bool tf32) {
  std::vector<GemmAlgorithm> candidates = candidates_for(handle, key, tf32);
  for (GemmAlgorithm& candidate : candidates) {
    if (takes_all(handle, key, candidate)) return candidate;
  }
  // In f32 there are algorithms for every size; rounding to tf32 is allowed, not demanded.
  if (tf32) return find_algorithm(handle, key, false);
  // A row's numbers would depend on its batch where some batches take another algorithm: the kernel
  // of tiles takes all.
  const bool has_rows = !key.transpose_a;
  return has_rows || candidates.empty() ? std::nullopt : std::optional(candidates.front());
}

}  // namespace

const std::optional<GemmAlgorithm>& GemmAlgorithms::find(const GemmKey& key) {
  const std::lock_guard lock(mutex_);
  const auto known = algorithms_.find(key);
  if (known != algorithms_.end()) return known->second;
  return algorithms_.emplace(key, find_algorithm(handle_, key, key.tf32)).first->second;
}

}  // namespace weft::cuda
