// For LD_PRELOAD, with the C library of GNU: lets large allocations of a program fail.
// WEFT_FAIL_FROM=N: the Nth of them is the first that fails; WEFT_FAIL_COUNT=M: so many do.
// WEFT_COUNT_FILE: receives how many there were, when the program ends.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

// Smaller ones are what the libraries below need to say anything at all.
constexpr std::size_t kLarge = 4096;
std::atomic<long> seen{0};

long number_from(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atol(text);
}

bool fails(std::size_t bytes) {
  if (bytes < kLarge) return false;
  static const long first = number_from("WEFT_FAIL_FROM", -1);
  static const long count = number_from("WEFT_FAIL_COUNT", 1);
  const long number = ++seen;
  if (first < 0 || number < first || number >= first + count) return false;
  errno = ENOMEM;
  return true;
}

[[gnu::destructor]] void tell_count() {
  const char* file = std::getenv("WEFT_COUNT_FILE");
  if (file == nullptr) return;
  if (std::FILE* out = std::fopen(file, "w")) {
    std::fprintf(out, "%ld\n", seen.load());
    std::fclose(out);
  }
}

}  // namespace

EXPORT void* malloc(std::size_t bytes) {
  return fails(bytes) ? nullptr : __libc_malloc(bytes);
}

EXPORT void* calloc(std::size_t count, std::size_t bytes) {
  return fails(count * bytes) ? nullptr : __libc_calloc(count, bytes);
}

EXPORT void* realloc(void* memory, std::size_t bytes) {
  return fails(bytes) ? nullptr : __libc_realloc(memory, bytes);
}

EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}

EXPORT void* mmap(void* at, std::size_t bytes, int protection, int flags, int file, off_t offset) {
  if (file < 0 && fails(bytes)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
}
