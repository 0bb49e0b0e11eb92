// Everything that a config can name, with the plugins of a call and what Python registered.
#pragma once

#include <string>
#include <vector>

#include "functions.h"

#include "components/weft.h"
#include "registry/plugins/plugin.h"

namespace weft::python {

// Takes the GIL for the latter.
inline Catalogue catalogue_with(const std::vector<std::string>& code) {
  Catalogue catalogue;
  add_builtin(catalogue);
  add_python_functions(catalogue);
  for (const std::string& library : code) load_plugin(library, catalogue);
  return catalogue;
}

}  // namespace weft::python
