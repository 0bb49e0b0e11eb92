#include "views.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "text.h"

namespace weft::python {

const Doc& having(const Doc& doc, int start, int end) {
  if (start >= 0 && start <= end && end <= doc.size()) return doc;
  throw nb::index_error(("tokens " + std::to_string(start) + " to " + std::to_string(end) +
                         " do not lie in a document of " + std::to_string(doc.size()))
                            .c_str());
}

Py_ssize_t index_of(nb::handle value) {
  const Py_ssize_t index = PyNumber_AsSsize_t(value.ptr(), PyExc_IndexError);
  if (index == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return index;
}

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

Attr attr_numbered(StringId number) {
  constexpr StringId kMost = std::numeric_limits<std::uint32_t>::max();
  return static_cast<Attr>(std::min(number, kMost));
}

StringId id_of(nb::handle value) {
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  const unsigned long long id = PyLong_AsUnsignedLongLong(number.ptr());
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return id;
}

nb::str string_of(const Doc& doc, StringId id) {
  if (const auto text = doc.find_string(id)) return str_of(*text);
  throw nb::key_error(("no text is known for the id " + std::to_string(id)).c_str());
}

StringId label_of(const Doc& doc, nb::handle label) {
  if (nb::isinstance<nb::str>(label)) return doc.vocab()->strings().add(utf8_of(label));
  const StringId id = id_of(label);
  if (doc.find_string(id)) return id;
  throw nb::value_error(("no text is known for the label " + std::to_string(id)).c_str());
}

Span span_in(const Doc& doc, const SpanView& view) {
  Span span = view.span;
  having(doc, span.start, span.end);
  if (view.doc->vocab() == doc.vocab()) return span;
  for (StringId* id : {&span.label, &span.kb_id, &span.id}) {
    const auto text = view.doc->find_string(*id);
    if (text) *id = doc.vocab()->strings().add(*text);
  }
  return span;
}

}  // namespace weft::python
