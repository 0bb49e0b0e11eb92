// Amounts of memory as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// "2GB", "1.5 GiB", "500MB", "64kB", "1000000B": a positive number and its unit, powers of 1000, or
// of 1024 with an "i"; letter case does not matter. Nothing for anything else.
WEFT_API std::optional<std::int64_t> parse_byte_size(std::string_view text);

// "1.5 GB": what messages say.
WEFT_API std::string byte_size_text(double bytes);

// [system] memory of a config without variables in bytes; 0: no limit is set. Throws Error(config)
// for what is no amount.
WEFT_API std::int64_t memory_limit(const Config& values);
// The same for [system] gpu_memory.
WEFT_API std::int64_t gpu_memory_limit(const Config& values);

}  // namespace weft
