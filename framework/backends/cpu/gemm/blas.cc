#include "framework/backends/cpu/gemm/blas.h"

#include <atomic>
#include <cstdlib>
#include <thread>

#include <cblas.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>

#include "framework/backends/cpu/gemm/plain_sgemm.h"
#include "registry/base/error.h"

namespace weft::cpu {

namespace {

// OpenBLAS picks kernels by the processor's model number and falls back to those of 2004 for models
// that are newer than itself, a quarter of the speed. The instructions that there are decide
// better.
const char* best_core_type() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (avx512) return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return __builtin_cpu_is("amd") ? "Zen" : "Haswell";
  }
#endif
  return nullptr;
}

// Otherwise every name would be looked for in all libraries of the process before. Sanitizers take
// the place of functions of the system for all libraries and do not allow that; Clang is what they
// are mostly used with.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
constexpr int kOwnNamesFirst = 0;
#else
constexpr int kOwnNamesFirst = RTLD_DEEPBIND;
#endif

// Sets an environment variable while it lives, unless the user has set it.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    set_ = value != nullptr && std::getenv(name) == nullptr;
    if (set_) setenv(name, value, 1);
  }
  ~ScopedVariable() {
    if (set_) unsetenv(name_);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
  bool set_ = false;
};

// Calls into OpenBLAS, which gives its memory back when the process ends: threads that still
// compute then (daemon threads of Python) must not be inside of it.
std::atomic<int> calls_inside = 0;
std::atomic<bool> has_closed = false;

class Call {
 public:
  Call() : is_allowed_(enter()) {}
  ~Call() {
    if (is_allowed_) --calls_inside;
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // False: the process ends.
  bool is_allowed() const { return is_allowed_; }

 private:
  // Calls that are not made are not counted: the end of the process would wait for them too.
  static bool enter() {
    ++calls_inside;
    if (!has_closed) return true;
    --calls_inside;
    return false;
  }

  bool is_allowed_;
};

void close_to_calls() {
  has_closed = true;
  while (calls_inside > 0) std::this_thread::yield();
}

// A child has none of the threads that were inside.
void forget_calls() {
  calls_inside = 0;
}

class Blas {
 public:
  static const Blas& instance() {
    static const Blas& blas = *new Blas{};
    return blas;
  }
  decltype(&cblas_sgemm) sgemm = nullptr;  // null: it is not there
  std::string description;

 private:
  Blas() {
    // The library reads both while it is loaded; one thread spares it a pool of its own.
    const ScopedVariable core("OPENBLAS_CORETYPE", best_core_type());
    const ScopedVariable threads("OPENBLAS_NUM_THREADS", "1");
    // Of its ten thousand functions few are called, and it means its own by their names.
    library_ = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL | kOwnNamesFirst);
    if (library_ == nullptr) {
      description = fmt::format("plain loops, as OpenBLAS cannot be opened: {}", dlerror());
      return;
    }
    find("cblas_sgemm", sgemm);
    decltype(&openblas_set_num_threads) set_num_threads = nullptr;
    find("openblas_set_num_threads", set_num_threads);
    set_num_threads(1);
    describe();
    std::atexit(close_to_calls);
    ::pthread_atfork(nullptr, nullptr, forget_calls);
  }

  template <class Fn>
  void find(const char* name, Fn& function) {
    function = reinterpret_cast<Fn>(dlsym(library_, name));
    if (function == nullptr) {
      throw Error(ErrorKind::device, fmt::format("OpenBLAS has no function {}", name));
    }
  }

  void describe() {
    decltype(&openblas_get_config) config = nullptr;
    decltype(&openblas_get_corename) core = nullptr;
    find("openblas_get_config", config);
    find("openblas_get_corename", core);
    const std::string text = config();  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
    const std::size_t second = text.find(' ', text.find(' ') + 1);
    description = fmt::format("{} ({})", text.substr(0, second), core());
  }

  void* library_ = nullptr;  // never closed
};

CBLAS_TRANSPOSE code(bool transpose) {
  return transpose ? CblasTrans : CblasNoTrans;
}

}  // namespace

void sgemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
           const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
           std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  const Blas& blas = Blas::instance();
  const Call call;
  if (blas.sgemm == nullptr || !call.is_allowed()) {
    return plain_sgemm(transpose_a, transpose_b, m, n, k, a, lda, b, ldb, beta, c, ldc);
  }
  const auto narrow = [](std::int64_t size) { return static_cast<blasint>(size); };
  blas.sgemm(CblasRowMajor, code(transpose_a), code(transpose_b), narrow(m), narrow(n), narrow(k),
             1.0F, a, narrow(lda), b, narrow(ldb), beta, c, narrow(ldc));
}

std::string blas_description() {
  return Blas::instance().description;
}

}  // namespace weft::cpu
