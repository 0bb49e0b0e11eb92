// A Python object that C++ keeps, and may copy and drop on any thread.
#pragma once

#include <memory>

#include <nanobind/nanobind.h>

namespace weft::python {

namespace nb = nanobind;

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
    const nb::gil_scoped_acquire acquire;
    Py_DECREF(object);
  }
  std::shared_ptr<PyObject> object_;
};

}  // namespace weft::python
