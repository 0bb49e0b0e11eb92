// Settings in a component's file `cfg`. One that is missing or of another type leaves the setting
// as it is.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

WEFT_API void take_setting(const Object& cfg, std::string_view key, bool& setting);
WEFT_API void take_setting(const Object& cfg, std::string_view key, std::string& setting);
// Throws Error(data), placed in `source`, for a number outside of 0 to 1.
WEFT_API void take_share(const Object& cfg, std::string_view key, const std::string& source,
                         double& setting);

}  // namespace weft
