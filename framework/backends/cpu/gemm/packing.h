// How a right factor is packed: in panels, one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace weft::cpu {

struct Packing {
  std::size_t parts;
  std::size_t bytes;  // of each
  std::function<void(std::int64_t part, void* to)> pack;

  std::size_t size() const { return parts * bytes; }
};

}  // namespace weft::cpu
