// MessagePack values as plain values, for files of settings and rules.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The next value. Keys that are integers get the names that `name_of_key` has for them. Throws
// Error(data) for bytes, extensions, keys that are no text (without `name_of_key`, integers too),
// nesting deeper than 512 levels and more than two million values, as for JSON (docs/limits.md).
using NameOfKey = std::function<std::string(std::int64_t key)>;
WEFT_API Node read_node(MsgpackReader& reader, const NameOfKey& name_of_key = {});

// Appends a value. Throws Error(data) for an integer below -2^63 or above 2^64 - 1.
WEFT_API void write_node(MsgpackWriter& writer, const Node& node);

}  // namespace weft
