// Example: what a pipeline is given, and what it should make of it.
#include "framework/text/example.h"

#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "example_dict.h"
#include "text.h"
#include "views.h"

#include "framework/pipeline/component.h"
#include "registry/base/error.h"

namespace weft::python {
namespace {

AlignmentPolicy policy_of(const std::string& name) {
  if (const auto policy = alignment_policy_of(name)) return *policy;
  throw nb::value_error("misaligned is 'error', 'drop', 'expand' or 'contract'");
}

Example from_offsets(const Doc& doc, nb::handle ents, const std::string& misaligned) {
  return Example::from_offsets(doc, char_ents_of(ents), policy_of(misaligned));
}

Example from_spans(const Doc& doc, nb::handle ents) {
  std::vector<TagSpan> spans;
  for (const nb::handle ent : ents) {
    const nb::tuple parts(nb::borrow<nb::object>(ent));
    if (parts.size() != 3) throw nb::value_error("a span is (start, end, label)");
    spans.push_back(
        {nb::cast<int>(parts[0]), nb::cast<int>(parts[1]), std::string(utf8_of(parts[2]))});
  }
  return Example::from_spans(doc, spans);
}

// The documents themselves, which keep the example alive: annotation that is written to them is the
// example's.
DocPtr predicted_of(const ExamplePtr& self) {
  return {self, &self->predicted()};
}

DocPtr reference_of(const ExamplePtr& self) {
  return {self, &self->reference()};
}

}  // namespace

void bind_example(nb::module_& module) {
  nb::class_<Example>(
      module, "Example",
      "A document as the pipeline sees it, and the same text with the right annotation.")
      .def(
          "__init__",
          [](Example* self, const Doc& predicted, const Doc& reference) {
            new (self) Example(predicted, reference);
          },
          nb::arg("predicted"), nb::arg("reference"),
          "Copies both. Raises DataError where they are not of the same text.")
      .def_static(
          "from_dict", example_from_dict, nb::arg("predicted"), nb::arg("example_dict"),
          nb::sig("def from_dict(predicted: Doc, example_dict: dict[str, typing.Any]) -> Example"),
          "As spaCy's: `entities` (offsets or BILUO tags), `cats`, `spans`, and for each token "
          "`words`, `spaces`, `tags`, `pos`, `lemmas`, `deps`, `heads`, `sent_starts`, `morphs`.")
      .def_static(
          "from_offsets", from_offsets, nb::arg("predicted"), nb::arg("ents"),
          nb::arg("misaligned") = "error",
          nb::sig("def from_offsets(predicted: Doc, ents: collections.abc.Iterable[tuple[int, int, "
                  "str]], misaligned: str = 'error') -> Example"),
          "Entities by characters, in code points: [(0, 12, \"PERSON\")].")
      .def_static(
          "from_tags",
          [](const Doc& doc, const std::vector<std::string>& tags) {
            return Example::from_tags(doc, tags);
          },
          nb::arg("predicted"), nb::arg("tags"),
          "Entities by one BILUO or IOB tag for each token; \"-\" is not annotated.")
      .def_static(
          "from_spans", from_spans, nb::arg("predicted"), nb::arg("spans"),
          nb::sig("def from_spans(predicted: Doc, spans: collections.abc.Iterable[tuple[int, int, "
                  "str]]) -> Example"),
          "Entities by tokens: [(0, 2, \"PERSON\")].")
      .def_prop_ro("predicted", predicted_of, "The document as the pipeline sees it.")
      .def_prop_ro("x", predicted_of)
      .def_prop_ro("reference", reference_of, "The document with the right annotation.")
      .def_prop_ro("y", reference_of)
      .def_prop_ro("text", [](const Example& self) { return str_of(self.predicted().text()); })
      .def("__len__", &Example::size);
}

}  // namespace weft::python
