// Python objects and the GIL beside threads of C++.
#pragma once

#include <memory>
#include <optional>

#include <nanobind/nanobind.h>

#include "gil.h"

namespace weft::python {

namespace nb = nanobind;

// Gives the GIL away while it lives, where this thread has it: before waiting for a lock whose
// holder may need it.
class WithoutGil {
 public:
  WithoutGil() {
    if (PyGILState_Check() != 0) release_.emplace();
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  std::optional<ReleasedGil> release_;
};

// A Python object that C++ keeps, and may copy and drop on any thread.
class Held {
 public:
  Held() = default;
  explicit Held(nb::object object) : object_(object.release().ptr(), drop) {}

  // Under the GIL.
  nb::object get() const { return nb::borrow(object_.get()); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  static void drop(PyObject* object) noexcept {
    if (object == nullptr || Py_IsInitialized() == 0) return;  // the interpreter has ended
    const HeldGil acquire;
    Py_DECREF(object);
  }
  std::shared_ptr<PyObject> object_;
};

}  // namespace weft::python
