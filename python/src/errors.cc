// weft::Error as the exceptions of weft/errors.py, with everything that it knows.
#include <exception>
#include <filesystem>
#include <set>
#include <string>
#include <typeinfo>

#include <nanobind/nanobind.h>

#include "bind.h"
#include "functions.h"
#include "python_failure.h"
#include "text.h"

#include "framework/io/system_error.h"
#include "framework/text/printable.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

nb::object text_or_none(std::string_view text) {
  return text.empty() ? nb::none() : nb::object(str_of(text));
}

// (file, line, column), each None where it is not known.
nb::tuple place_of(const Origin& place) {
  const auto number = [](int value) {
    return value == 0 ? nb::none() : nb::object(nb::int_(value));
  };
  const bool named = place.source == Origin::Source::file && place.name;
  return nb::make_tuple(text_or_none(named ? *place.name : ""), number(place.line),
                        number(place.column));
}

std::string_view name_of(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

// As the command prints it: a traceback shows a message on a terminal.
nb::str shown(std::string_view message) {
  return str_of(printable_lines(message));
}

nb::list problems_of(const Error& error) {
  nb::list problems;
  for (const Problem& problem : error.problems()) {
    problems.append(nb::make_tuple(str_of(weft::name_of(problem.kind)),
                                   str_of(name_of(problem.severity)), place_of(problem.place),
                                   text_or_none(problem.path), str_of(problem.message),
                                   text_or_none(problem.suggestion), shown(problem.str())));
  }
  return problems;
}

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::config:
      return "config";
    case ErrorKind::data:
      return "data";
    case ErrorKind::device:
      return "device";
    case ErrorKind::plugin:
      return "plugin";
    case ErrorKind::system:
      return "system";
    case ErrorKind::memory:
      return "memory";
    case ErrorKind::diverged:
      return "diverged";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

// The message, and the way out where functions are registered elsewhere.
std::string message_of(const Error& error) {
  std::string message = error.what();
  std::set<std::string> hints;
  for (const Problem& problem : error.problems()) {
    if (problem.kind == ProblemKind::unknown_function) hints.insert(hint_for(problem.function));
  }
  for (const std::string& hint : hints) {
    if (!hint.empty()) message += "\n" + hint;
  }
  return message;
}

void raise(const Error& error) {
  const nb::object made =
      nb::module_::import_("weft.errors")
          .attr("make_error")(str_of(name_of(error.kind())), shown(message_of(error)),
                              place_of(error.place()), problems_of(error));
  PyErr_SetObject(made.type().ptr(), made.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const PythonFailure& failure) {
    failure.restore();
  } catch (const Error& error) {
    raise(error);
  } catch (const std::filesystem::filesystem_error& error) {
    raise(as_error(error));
  } catch (const std::bad_cast&) {
    PyErr_SetString(PyExc_TypeError, "an argument holds a value of another type than is needed");
  }
}

}  // namespace

void bind_errors() {
  nb::register_exception_translator(translate);
}

}  // namespace weft::python
