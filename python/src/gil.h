// Taking and giving away the GIL, also while the interpreter ends.
#pragma once

#include <nanobind/nanobind.h>
#include <unistd.h>

namespace weft::python {

// A thread that asks for the GIL of an interpreter that ends is unwound by Python (as a daemon
// thread may be, or one of a pool): through frames that let nothing through, which would end the
// process by std::terminate. It stays where it is instead, as Python does itself from 3.14 on.
template <class Take>
auto take_gil(const Take& take) noexcept {
  try {
    return take();
  } catch (...) {
    while (true) ::pause();
  }
}

// Gives the GIL away while it lives.
class ReleasedGil {
 public:
  ReleasedGil() : state_(PyEval_SaveThread()) {}
  ~ReleasedGil() {
    take_gil([this] { PyEval_RestoreThread(state_); });
  }
  ReleasedGil(const ReleasedGil&) = delete;
  ReleasedGil& operator=(const ReleasedGil&) = delete;

 private:
  PyThreadState* state_;
};

// Has the GIL while it lives, on any thread.
class HeldGil {
 public:
  HeldGil() : state_(take_gil([] { return PyGILState_Ensure(); })) {}
  ~HeldGil() { PyGILState_Release(state_); }
  HeldGil(const HeldGil&) = delete;
  HeldGil& operator=(const HeldGil&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace weft::python
