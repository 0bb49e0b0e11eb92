// Tables about a config: the functions that it names, and the variables that it refers to.
#pragma once

#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft::tools {

// On standard output, a line for each function of the filled config: its kind, its name, the
// section that names it, and the library, plugin or file that registered it.
void print_functions(const Config& values, const Catalogue& catalogue);

// A line for each variable: its name, its value, and where that was set. `values` is expanded.
void print_variables(const Config& config, const Config& values);

}  // namespace weft::tools
