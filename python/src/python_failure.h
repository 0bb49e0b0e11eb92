// An exception of a function that was registered from Python, on its way through C++.
#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include "gil.h"
#include "held.h"

#include "registry/base/error.h"

namespace weft::python {

// The library takes it for an error of a plugin: it saves what it can and passes it on. Python gets
// its own exception back, with a note that names the function.
class PythonFailure : public Error {
 public:
  // Under the GIL. `where`: "the logger my_logger.v1"; `note` says how that came into the run.
  PythonFailure(const nb::python_error& raised, const std::string& where, const char* note);

  // Under the GIL: sets what was raised as Python's current exception.
  void restore() const;
  // Under the GIL: shows it with its traceback on sys.stderr.
  void show() const;

 private:
  Held raised_;
};

// Raises TypeError. Under the GIL.
[[noreturn]] void raise_type_error(const std::string& message);

// Calls `work()` under the GIL; an exception of Python becomes a PythonFailure that names `where`.
template <class Work>
auto in_python(const std::string& where, const Work& work,
               const char* note = "which is registered from Python") {
  const HeldGil acquire;
  try {
    return work();
  } catch (const nb::python_error& raised) {
    throw PythonFailure(raised, where, note);
  }
}

}  // namespace weft::python
