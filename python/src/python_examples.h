// Examples between streams of C++ and iterators of Python.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "held.h"

#include "framework/pipeline/component.h"

namespace weft::python {

// The example in an object of Python. Raises TypeError, which names `where`. Under the GIL.
ExamplePtr example_of(nb::handle object, const std::string& where);

// A copy of it: Python may go on to write into its own. Raises as `example_of`; throws Error(data)
// where its two documents are not of the same text any more. Under the GIL.
ExamplePtr copy_of(nb::handle object, const std::string& where);

// An iterator of Python, from something that gives one. Raises TypeError. Under the GIL.
Held iterator_of(nb::handle iterable, const std::string& where);

// The next object of an iterator; null at its end. Under the GIL.
nb::object next_of(const Held& iterator);

// A stream of C++ as an iterator of Python, for as long as this lives.
class LentStream {
 public:
  explicit LentStream(ExampleStream& examples) : examples_(&examples) {}
  // Without the GIL while it reads. Null at the end. As a generator does, it refuses a second call
  // while another thread reads.
  ExamplePtr next();
  // Waits for a thread that reads. Not under the GIL, which that one may need.
  void take_back() {
    const std::lock_guard<std::mutex> lock(mutex_);
    examples_ = nullptr;
  }

 private:
  ExamplePtr read();

  std::mutex mutex_;  // of `examples_`
  ExampleStream* examples_;
  bool busy_ = false;  // under the GIL
};

}  // namespace weft::python
