// Texts between Python and C++.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

// Of a list of `str`.
inline std::vector<std::string> texts_in(nb::handle list) {
  std::vector<std::string> texts;
  for (const nb::handle text : list) texts.emplace_back(utf8_of(text));
  return texts;
}

// Whether a space follows each of so many words: values that Python counts as true are spaces, as
// in spaCy. Raises ValueError for another number of them.
inline std::vector<bool> spaces_in(nb::handle list, std::size_t words) {
  std::vector<bool> spaces;
  for (const nb::handle space : list) {
    const int is_space = PyObject_IsTrue(space.ptr());
    if (is_space < 0) throw nb::python_error();
    spaces.push_back(is_space == 1);
  }
  if (spaces.size() == words) return spaces;
  throw nb::value_error("words and spaces have different lengths");
}

inline nb::str str_of(std::string_view text) {
  return nb::str(text.data(), text.size());
}

}  // namespace weft::python
