// Ctrl-C while C++ runs.
#pragma once

#include <nanobind/nanobind.h>

#include "gil.h"

namespace weft::python {

// Throws what a handler of Python raised, KeyboardInterrupt for Ctrl-C. Takes the GIL; looks at
// signals on the main thread alone, as Python does.
inline void throw_if_interrupted() {
  const HeldGil acquire;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace weft::python
