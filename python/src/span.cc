// Span: a labelled stretch of tokens.
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "text.h"
#include "views.h"

#include "framework/text/ent_confidence.h"

namespace weft::python {
namespace {

using SpanClass = nb::class_<SpanView>;

nb::str text_of(const SpanView& self) {
  return str_of(self.holder().span_text(self.span.start, self.span.end));
}

nb::str text_with_ws(const SpanView& self) {
  const Doc& doc = self.holder();
  const bool has_space = self.span.end > self.span.start && doc.space(self.span.end - 1);
  return str_of(std::string(doc.span_text(self.span.start, self.span.end)) +
                (has_space ? " " : ""));
}

void make(SpanView* self, DocPtr doc, int start, int end, nb::object label, nb::object kb_id,
          nb::object span_id) {
  if (start < 0 || end < start || end > doc->size()) {
    throw nb::index_error("the span does not lie in the document");
  }
  const Span span{start, end, label_of(*doc, label), label_of(*doc, kb_id),
                  label_of(*doc, span_id)};
  new (self) SpanView{std::move(doc), span};
}

nb::object item(const SpanView& self, nb::handle key) {
  self.holder();
  const int size = self.span.end - self.span.start;
  if (nb::isinstance<nb::slice>(key)) {
    const Span inner = span_of(nb::borrow<nb::slice>(key), size);
    return nb::cast(
        SpanView{self.doc, {self.span.start + inner.start, self.span.start + inner.end}});
  }
  return nb::cast(TokenView{self.doc, self.span.start + place_of(index_of(key), size)});
}

void bind_places(SpanClass& span) {
  span.def_prop_ro(
          "start", [](const SpanView& self) { return self.span.start; }, "First token.")
      .def_prop_ro(
          "end", [](const SpanView& self) { return self.span.end; }, "The token behind the last.")
      .def_prop_ro(
          "start_char",
          [](const SpanView& self) {
            return self.holder().span_chars(self.span.start, self.span.end).first;
          },
          "Where it begins in the text, in code points.")
      .def_prop_ro(
          "end_char",
          [](const SpanView& self) {
            return self.holder().span_chars(self.span.start, self.span.end).second;
          },
          "Where it ends in the text, in code points.");
}

void bind_names(SpanClass& span) {
  span.def_prop_ro("label", [](const SpanView& self) { return self.span.label; })
      .def_prop_ro("label_",
                   [](const SpanView& self) { return string_of(*self.doc, self.span.label); })
      .def_prop_ro("kb_id", [](const SpanView& self) { return self.span.kb_id; })
      .def_prop_ro("kb_id_",
                   [](const SpanView& self) { return string_of(*self.doc, self.span.kb_id); })
      .def_prop_ro("id", [](const SpanView& self) { return self.span.id; })
      .def_prop_ro("id_", [](const SpanView& self) { return string_of(*self.doc, self.span.id); });
}

}  // namespace

void bind_span(nb::module_& module) {
  SpanClass span(module, "Span", "Tokens [start, end) of a document, which it keeps alive.");
  span.def("__init__", make, nb::arg("doc"), nb::arg("start"), nb::arg("end"),
           nb::arg("label") = "", nb::arg("kb_id") = "", nb::arg("span_id") = "",
           nb::sig("def __init__(self, doc: Doc, start: int, end: int, label: int | str = '', "
                   "kb_id: int | str = '', span_id: int | str = '') -> None"))
      .def_prop_ro("doc", [](const SpanView& self) { return self.doc; })
      .def_prop_ro("text", text_of, "Without a space behind the last token.")
      .def_prop_ro("text_with_ws", text_with_ws)
      .def_prop_ro(
          "lemma_",
          [](const SpanView& self) {
            std::string text;
            const Doc& doc = self.holder();
            for (int i = self.span.start; i < self.span.end; ++i) {
              const nb::str lemma = string_of(doc, doc.value(Attr::lemma, i));
              text += utf8_of(lemma);
              if (doc.space(i) && i + 1 < self.span.end) text += ' ';
            }
            return nb::str(str_of(text).attr("strip")());
          },
          "The lemmas of its tokens, spaced as they are.")
      .def_prop_ro(
          "confidence",
          [](const SpanView& self) { return ent_confidence(self.holder(), self.span); },
          "How sure the component that found the entity is, from 0 to 1; None where it does not "
          "say (docs/confidence.md).")
      .def("__len__", [](const SpanView& self) { return self.span.end - self.span.start; })
      .def(
          "__iter__",
          [](const SpanView& self) { return tokens_of(self.doc, self.span.start, self.span.end); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[Token]"))
      .def("__getitem__", item, nb::arg("key"), nb::sig("def __getitem__(self, key: int) -> Token"))
      .def("__getitem__", item, nb::arg("key"),
           nb::sig("def __getitem__(self, key: slice) -> Span"))
      .def("__str__", text_of)
      .def("__repr__", text_of)
      .def("__hash__", [](const SpanView& self) {
        return std::hash<const void*>()(self.doc.get()) ^
               static_cast<std::size_t>(self.span.start) << 20 ^
               static_cast<std::size_t>(self.span.end) ^ self.span.label;
      });
  bind_places(span);
  bind_names(span);
  bind_span_tree(span);
  bind_span_order(span);
}

}  // namespace weft::python
