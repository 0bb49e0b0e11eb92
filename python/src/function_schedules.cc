// Schedules from Python: numbers, lists, generators and functions of the step.
#include <cmath>
#include <memory>
#include <mutex>
#include <vector>

#include "bind.h"
#include "functions.h"
#include "gil.h"
#include "held.h"
#include "python_failure.h"
#include "schedules.h"
#include "text.h"

namespace weft::python {
namespace {

double number_of(nb::handle value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  if (std::isfinite(number)) return number;
  PyErr_SetString(PyExc_ValueError, "a schedule gives finite numbers");
  throw nb::python_error();
}

// The numbers of a generator, kept so that every step can be asked for, again and by any thread.
class Generated {
 public:
  Generated(Held numbers, std::string where)
      : numbers_(std::move(numbers)), where_(std::move(where)) {}

  double at(std::int64_t step) {
    // The lock comes before the GIL: a generator may give that away while it runs.
    const WithoutGil free;
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto place = static_cast<std::size_t>(step);
    if (place >= known_.size()) in_python(where_, [&] { go_on_to(place); });
    return known_[place];
  }

 private:
  void go_on_to(std::size_t place) {
    while (known_.size() <= place) {
      const nb::object next = nb::steal(PyIter_Next(numbers_.get().ptr()));
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
      if (!next.is_valid()) {
        PyErr_Format(PyExc_ValueError,
                     "the generator ended after %zu numbers, and step %zu needs one: let it yield "
                     "its last number for ever",
                     known_.size(), place);
        throw nb::python_error();
      }
      known_.push_back(number_of(next));
    }
  }

  Held numbers_;
  std::string where_;
  std::mutex mutex_;
  std::vector<double> known_;
};

std::vector<double> numbers_of(nb::handle list) {
  std::vector<double> numbers;
  for (const nb::handle value : list) numbers.push_back(number_of(value));
  return numbers;
}

bool is_number(nb::handle value) {
  return PyNumber_Check(value.ptr()) != 0 && !nb::isinstance<nb::bool_>(value);
}

// weft.Schedule.to_generator: the values from a step on.
nb::object values_from(const nb::object& self, std::int64_t start) {
  const nb::module_ itertools = nb::module_::import_("itertools");
  return nb::module_::import_("builtins").attr("map")(self, itertools.attr("count")(start));
}

}  // namespace

Argument make_schedule(const Held& made, const std::string& where) {
  const nb::object value = made.get();
  PythonSchedule* known = nullptr;
  if (nb::try_cast(value, known) && known != nullptr) return Product::of(known->schedule);
  if (is_number(value)) return Product::of(Schedule(number_of(value)));
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    return Product::of(Schedule(numbers_of(value)));
  }
  if (PyIter_Check(value.ptr()) != 0) {
    const auto generated = std::make_shared<Generated>(made, where);
    return Product::of(Schedule([generated](std::int64_t step) { return generated->at(step); }));
  }
  require_callable(made, where, "a generator of numbers, a function of the step, or a number");
  return Product::of(Schedule([made, where](std::int64_t step) {
    return in_python(where, [&] { return number_of(made.get()(step)); });
  }));
}

void bind_schedules(nb::module_& module) {
  nb::class_<PythonSchedule>(module, "Schedule",
                             "A schedule of a config: a function of the step, counted from 0.")
      .def(
          "__call__",
          [](const PythonSchedule& self, std::int64_t step) {
            const ReleasedGil release;
            return self.schedule(step);
          },
          nb::arg("step"))
      .def("to_generator", values_from, nb::arg("start") = 0,
           nb::sig("def to_generator(self, start: int = 0) -> collections.abc.Iterator[float]"),
           "The values from a step on.")
      .def(
          "__iter__", [](const nb::object& self) { return values_from(self, 0); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[float]"));
}

}  // namespace weft::python
