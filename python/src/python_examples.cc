#include "python_examples.h"

#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "gil.h"
#include "python_failure.h"
#include "text.h"

#include "framework/text/example.h"

namespace weft::python {

ExamplePtr example_of(nb::handle object, const std::string& where) {
  ExamplePtr example;
  if (nb::try_cast(object, example) && example != nullptr) return example;
  const nb::str type(object.type().attr("__qualname__"));
  const nb::str module(object.type().attr("__module__"));
  raise_type_error(where + " gave a " + std::string(utf8_of(module)) + "." +
                   std::string(utf8_of(type)) + ", not a weft.Example");
}

ExamplePtr copy_of(nb::handle object, const std::string& where) {
  auto copy = std::make_shared<Example>(*example_of(object, where));
  copy->align_again();
  return copy;
}

Held iterator_of(nb::handle iterable, const std::string& where) {
  const nb::object iterator = nb::steal(PyObject_GetIter(iterable.ptr()));
  if (iterator.is_valid()) return Held(iterator);
  PyErr_Clear();
  const nb::str shown = nb::repr(iterable);
  raise_type_error(where + " gave " + std::string(utf8_of(shown)) + ", which cannot be iterated");
}

nb::object next_of(const Held& iterator) {
  nb::object next = nb::steal(PyIter_Next(iterator.get().ptr()));
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return next;
}

ExamplePtr LentStream::next() {
  if (busy_) throw nb::value_error("these examples are being read already");
  busy_ = true;
  try {
    ExamplePtr example = read();
    busy_ = false;
    return example;
  } catch (...) {
    busy_ = false;
    throw;
  }
}

ExamplePtr LentStream::read() {
  const ReleasedGil release;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (examples_ == nullptr) throw nb::value_error("the pass over these examples is over");
  ExamplePtr example = examples_->next();
  // Another pass may be given the same one: writes are for this pass alone.
  if (example && example.use_count() > 1) return std::make_shared<Example>(*example);
  return example;
}

void bind_lent_stream(nb::module_& module) {
  nb::class_<LentStream>(module, "_Examples", "Examples on their way to a batcher: an iterator.")
      .def(
          "__iter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __iter__(self) -> _Examples"))
      .def(
          "__next__",
          [](LentStream& self) {
            ExamplePtr example = self.next();
            if (!example) throw nb::stop_iteration();
            return example;
          },
          nb::sig("def __next__(self) -> Example"));
}

}  // namespace weft::python
