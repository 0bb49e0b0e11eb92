#include "views.h"

#include "text.h"

namespace weft::python {

int place_of(Py_ssize_t index, int size) {
  const Py_ssize_t place = index < 0 ? index + size : index;
  if (place < 0 || place >= size) throw nb::index_error("there is no such token");
  return static_cast<int>(place);
}

Span span_of(const nb::slice& slice, int size) {
  Py_ssize_t start = 0, end = 0, step = 0;
  if (PySlice_Unpack(slice.ptr(), &start, &end, &step) < 0) throw nb::python_error();
  if (step != 1) throw nb::value_error("a span has no step");
  PySlice_AdjustIndices(size, &start, &end, step);
  return {static_cast<int>(start), static_cast<int>(std::max(start, end))};
}

nb::object tokens_of(const DocPtr& doc, int start, int end) {
  nb::list tokens;
  for (int i = start; i < end; ++i) tokens.append(TokenView{doc, i});
  return nb::iter(tokens);
}

StringId label_of(const Doc& doc, nb::handle label) {
  if (!nb::isinstance<nb::str>(label)) return nb::cast<StringId>(label);
  return doc.vocab()->strings().add(utf8_of(label));
}

}  // namespace weft::python
