// Arrays of numbers as msgpack-numpy writes them: a map whose keys are bytes and not text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "framework/io/msgpack_writer.h"

namespace weft {

// The map up to its numbers, whose `bytes` bytes the caller adds, as they lie in memory. `type` is
// NumPy's name, "<f4".
void begin_array(MsgpackWriter& out, std::string_view type, std::span<const std::int64_t> shape,
                 std::uint64_t bytes);

}  // namespace weft
