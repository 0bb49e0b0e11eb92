// Faults of settings that show when a run uses them, behind the checks of the whole config.
#pragma once

#include <string>
#include <string_view>

#include "registry/base/error.h"
#include "registry/base/export.h"
#include "registry/base/origin.h"
#include "registry/value/config.h"

namespace weft {

// An Error(config) of the setting or section at `path` ("training.frozen_components"), from code
// that knows its name but not where it was given.
WEFT_API Error setting_error(std::string path, std::string message, std::string suggestion = {});

// Where a user gave the setting at `path`, or the variable that it is, or else the nearest section
// around it; unknown for one that comes from defaults alone. `config` keeps its variables.
WEFT_API Origin place_of_setting(const Config& config, std::string_view path);

// To be called while `error` is handled: throws it again, one of the config with the places that
// its settings have in `config` where it lacks them.
[[noreturn]] WEFT_API void rethrow_with_places(const Error& error, const Config& config);

// The result of `part`. Its errors are told with their settings' places in `config`.
template <class Part>
auto telling_places(const Config& config, const Part& part) -> decltype(part()) {
  try {
    return part();
  } catch (const Error& error) {
    rethrow_with_places(error, config);
  }
}

}  // namespace weft
