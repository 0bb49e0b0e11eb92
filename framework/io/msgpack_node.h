// MessagePack values as plain values, for files of settings and rules.
#pragma once

#include "framework/io/msgpack_reader.h"
#include "framework/io/msgpack_writer.h"
#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The next value. Throws Error(data) for bytes, extensions, keys that are no text, nesting deeper
// than 512 levels and more than two million values, as for JSON (docs/limits.md).
WEFT_API Node read_node(MsgpackReader& reader);

// Appends a value. Throws Error(data) for an integer beyond 64 bits.
WEFT_API void write_node(MsgpackWriter& writer, const Node& node);

}  // namespace weft
