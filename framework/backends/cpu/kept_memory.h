// Memory that a thread keeps from one product to the next: packing and strips of results need some
// for a moment, and fetching it from the system each time would cost more than they do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::cpu {

// What it is for; each has its own.
enum class Kept : std::uint8_t { left, right, rows, gradients, largest, inputs, sums };

// At least so many bytes, aligned to 64, contents undefined; the calling thread's until it asks for
// more for the same purpose. Other threads may use it meanwhile. Throws Error(memory).
void* kept_memory(Kept purpose, std::size_t bytes);

template <class T>
T* kept_array(Kept purpose, std::int64_t count) {
  return static_cast<T*>(kept_memory(purpose, static_cast<std::size_t>(count) * sizeof(T)));
}

}  // namespace weft::cpu
