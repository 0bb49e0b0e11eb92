// Texts between Python and C++.
#pragma once

#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

namespace weft::python {

namespace nb = nanobind;

// The UTF-8 of a `str`, as long as that lives. Raises UnicodeEncodeError for half a surrogate pair,
// TypeError for what is no `str`.
inline std::string_view utf8_of(nb::handle text) {
  if (PyUnicode_Check(text.ptr()) == 0) {
    const std::string type = Py_TYPE(text.ptr())->tp_name;
    throw nb::type_error(("a text (str) is needed here, not " + type).c_str());
  }
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nb::python_error();
  return {bytes, static_cast<std::size_t>(size)};
}

inline nb::str str_of(std::string_view text) {
  return nb::str(text.data(), text.size());
}

}  // namespace weft::python
