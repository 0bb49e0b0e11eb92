// Frames of records in files that only grow, by which a reader finds the end of the last whole one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// CRC-32C (Castagnoli), as RFC 3720 has it.
WEFT_API std::uint32_t crc32c(std::string_view bytes);

// The record between its length and its checksums, as a TFRecord file holds it.
WEFT_API std::string tf_record(std::string_view record);

// The record as one or more fragments that do not cross the ends of blocks of 32768 bytes, counted
// from the start of the file, for appending at byte `position`: the log of LevelDB with a plain
// CRC-32.
WEFT_API std::string block_record(std::string_view record, std::int64_t position);

}  // namespace weft
