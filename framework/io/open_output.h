// Outputs that are no files: bytes for a FIFO, a device or something that is open already go there
// directly; to put a file in their place would take them from everybody else.
#pragma once

#include <filesystem>

#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

// Opens `target` for writing where it is a FIFO (whose reader is waited for, at most five seconds),
// a device with characters (/dev/null, a terminal), or, as /dev/stdout and /dev/fd/3, a name in
// /dev or /proc of what this process has open. Empty for a name that a file can take: where nothing
// or a file stands, or a link elsewhere than there, which is replaced itself. Throws Error(system)
// for a folder, a socket, a disk, and where it cannot be opened.
WEFT_API Descriptor open_if_no_file(const std::filesystem::path& target);

}  // namespace weft
