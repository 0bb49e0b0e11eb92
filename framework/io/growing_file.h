// A file that lines are appended to while a program runs.
#pragma once

#include <filesystem>

#include <sys/stat.h>

#include "framework/io/descriptor.h"
#include "registry/base/export.h"

namespace weft {

enum class Growth {
  anew,   // empty at first: earlier contents are gone
  go_on,  // behind what is there
};

// Whether it must not be emptied where it lies, since it is also somebody else's: a link, or a file
// with another name.
bool is_shared(const struct stat& facts);

// Opens the file for appending, or makes it. Links are not followed: one in the place of a file
// that begins anew is replaced, and so is a file with other names elsewhere; one in the place of a
// file that goes on is an error. FIFOs, devices and /dev/stderr are written to as they are
// (open_output.h). Throws Error(system).
WEFT_API Descriptor open_growing(const std::filesystem::path& file, Growth growth);

}  // namespace weft
