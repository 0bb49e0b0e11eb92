// Vocab, StringStore and the table of word vectors.
#include "framework/text/vocab.h"

#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "text.h"
#include "views.h"

#include "framework/text/vectors.h"

namespace weft::python {
namespace {

using Table = nb::ndarray<nb::numpy, const float, nb::ndim<2>, nb::c_contig>;

nb::object look_up(const StringStore& strings, nb::object key) {
  if (nb::isinstance<nb::str>(key)) return nb::int_(string_id(utf8_of(key)));
  const StringId id = id_of(key);
  const auto text = strings.find(id);
  if (!text) throw nb::key_error(std::to_string(id).c_str());
  return str_of(*text);
}

bool contains(const StringStore& strings, nb::object key) {
  const StringId id = nb::isinstance<nb::str>(key) ? string_id(utf8_of(key)) : id_of(key);
  return strings.find(id).has_value();
}

// The vocabulary keeps the numbers alive.
Table vectors_of(const std::shared_ptr<Vocab>& vocab) {
  need_numpy();
  const Vectors& vectors = vocab->vectors();
  const auto rows = static_cast<std::size_t>(vectors.rows());
  const auto width = static_cast<std::size_t>(vectors.width());
  const float* numbers = rows * width == 0 ? nullptr : vectors.table().data<float>();
  return Table(numbers, {rows, width}, nb::find(vocab));
}

}  // namespace

void bind_vocab(nb::module_& module) {
  nb::class_<StringStore>(module, "StringStore",
                          "Labels and other names by their 64-bit ids, which are spaCy's.")
      .def(
          "add", [](StringStore& self, nb::handle text) { return self.add(utf8_of(text)); },
          nb::arg("text"), nb::sig("def add(self, text: str) -> int"),
          "The id of a text, which is known from now on.")
      .def("__getitem__", look_up, nb::arg("key"),
           nb::sig("def __getitem__(self, key: int | str) -> typing.Any"),
           "The id of a text, or the text of an id. Raises KeyError for an unknown id.")
      .def("__contains__", contains, nb::arg("key"),
           nb::sig("def __contains__(self, key: object) -> bool"))
      .def("__len__", &StringStore::size)
      .def(
          "__iter__", [](const StringStore& self) { return nb::iter(nb::cast(self.sorted())); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[str]"),
          "The texts, by code point; more may be added meanwhile.");
  nb::class_<Vocab>(module, "Vocab", "The vocabulary that all documents of a pipeline share.")
      .def(nb::init<std::string>(), nb::arg("lang") = "xx")
      .def_prop_ro("lang", &Vocab::lang, "The code of the language.")
      .def_prop_ro("strings", &Vocab::strings, nb::rv_policy::reference_internal)
      .def_prop_ro(
          "vectors", vectors_of,
          nb::sig("def vectors(self) -> numpy.typing.NDArray[numpy.float32]"),
          "The table of word vectors, (rows, width): a read-only view, nothing is copied.");
}

}  // namespace weft::python
