// Links in the folder of a pipeline that lead out of it. A pipeline may come from anybody, and a
// copy of its folder that follows links would bring any file of this machine along.
#pragma once

#include <filesystem>

#include "registry/base/export.h"

namespace weft {

// Throws Error(data) with its name where a link below the folder leads out of it, at once or by
// another link. The folder itself may be a link. Links that lead nowhere are passed over.
WEFT_API void refuse_outside_links(const std::filesystem::path& folder);

}  // namespace weft
