#include "framework/io/msgpack_array.h"

namespace weft {

void begin_array(MsgpackWriter& out, std::string_view type, std::span<const std::int64_t> shape,
                 std::uint64_t bytes) {
  out.map(5);
  out.bin("nd");
  out.boolean(true);
  out.bin("type");
  out.str(type);
  out.bin("kind");
  out.bin("");
  out.bin("shape");
  out.array(static_cast<std::uint32_t>(shape.size()));
  for (const std::int64_t size : shape) out.integer(size);
  out.bin("data");
  out.bin_size(bytes);
}

}  // namespace weft
