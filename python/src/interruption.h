// Ctrl-C and its kind, while a run goes on in C++ that may not be torn out of its step.
#pragma once

#include <memory>

#include <nanobind/nanobind.h>

#include "gil.h"

namespace weft::python {

namespace nb = nanobind;

// Remembers the first exception that asks for an end (KeyboardInterrupt, SystemExit, anything that
// is no `Exception`), until the run has saved its state.
class Interruption {
 public:
  // Whether one came, also from a signal that Python has not handled yet. Takes the GIL.
  bool came() {
    const HeldGil acquire;
    if (!raised_ && PyErr_CheckSignals() != 0) raised_ = std::make_unique<nb::python_error>();
    return raised_ != nullptr;
  }

  // Calls `work()` where C++ would swallow exceptions, as its streams do. A handler of signals may
  // run in there, and its exception is kept; an `Exception`, such as that of a full disk, goes to
  // sys.unraisablehook with `where`, and the run goes on. Under the GIL.
  template <class Work>
  void guard(const char* where, const Work& work) {
    try {
      work();
    } catch (nb::python_error& error) {
      if (error.matches(PyExc_Exception)) {
        error.discard_as_unraisable(where);
      } else if (!raised_) {
        raised_ = std::make_unique<nb::python_error>(error);
      }
    }
  }

  // Throws the exception that came. Takes the GIL.
  void raise() const {
    const HeldGil acquire;
    if (raised_) throw nb::python_error(*raised_);
  }

 private:
  std::unique_ptr<nb::python_error> raised_;
};

}  // namespace weft::python
