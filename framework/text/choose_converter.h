// The converter of a file: by its name, or by the ending of the file's.
#pragma once

#include <string>

#include "framework/text/converter.h"
#include "registry/base/export.h"
#include "registry/functions/catalogue.h"

namespace weft {

// The converter of that name, or for "" or "auto" the one that the ending of `file` asks for.
// Throws Error(usage) where there is none, or no such file.
WEFT_API Converter converter_of(const std::string& name, const std::string& file,
                                const Catalogue& catalogue);

}  // namespace weft
