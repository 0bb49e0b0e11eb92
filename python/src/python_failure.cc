#include "python_failure.h"

#include "text.h"

namespace weft::python {
namespace {

// "ZeroDivisionError: division by zero". Half a surrogate pair, which a message may hold, is shown
// as an escape.
std::string text_of(nb::handle raised) {
  const nb::object lines = nb::module_::import_("traceback").attr("format_exception_only")(raised);
  const nb::object shown = nb::str("").attr("join")(lines);
  const nb::bytes utf8(shown.attr("encode")("utf-8", "backslashreplace"));
  std::string text(utf8.c_str(), utf8.size());
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

void add_note(nb::handle raised, const std::string& note) {
  if (!nb::hasattr(raised, "add_note")) return;  // from Python 3.11 on
  raised.attr("add_note")(str_of(note));
}

}  // namespace

PythonFailure::PythonFailure(const nb::python_error& raised, const std::string& where,
                             const char* note)
    : Error(ErrorKind::plugin, where + " failed: " + text_of(raised.value())),
      raised_(nb::borrow(raised.value())) {
  add_note(raised.value(), "in " + where + ", " + note);
}

void PythonFailure::restore() const {
  const nb::object raised = raised_.get();
  PyErr_SetObject(raised.type().ptr(), raised.ptr());
}

void PythonFailure::show() const {
  restore();
  PyErr_Print();
}

void raise_type_error(const std::string& message) {
  PyErr_SetString(PyExc_TypeError, message.c_str());
  throw nb::python_error();
}

}  // namespace weft::python
