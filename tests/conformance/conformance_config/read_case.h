// Reading the configs of a record, as every operation does first.
#pragma once

#include "registry/reading/cfg_reader.h"
#include "tests/conformance/conformance_config/case.h"

namespace weft::conformance {

// `overrides`, or those of `argv` and `env`.
Overrides overrides_of(const Case& record, Problems& problems);

// The config in `field`, read with the record's overrides and the given mode.
Config read_case(const Case& record, const char* field, bool interpolate, Problems& problems);

}  // namespace weft::conformance
