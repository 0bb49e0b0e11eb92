// Settings in a component's file `cfg`. One that is missing or null stays as it is; one of another
// type, or beyond its range, is an Error(data) that begins with `source`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

WEFT_API void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                           bool& setting);
WEFT_API void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                           std::string& setting);
WEFT_API void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                           std::optional<std::string>& setting);
// From 0 on, of 32 bits.
WEFT_API void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                           int& setting);
// Finite, from 0 on.
WEFT_API void take_setting(const Object& cfg, std::string_view key, const std::string& source,
                           double& setting);
// From 0 to 1.
WEFT_API void take_share(const Object& cfg, std::string_view key, const std::string& source,
                         double& setting);

}  // namespace weft
