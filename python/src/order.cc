// The order of tokens and spans: of places in the text, as in spaCy.
#include <tuple>

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "views.h"

namespace weft::python {
namespace {

// A token at a place, of whatever document: spaCy compares offsets.
std::size_t key_of(const TokenView& self) {
  return self.holder().span_chars(self.i, self.i + 1).first;
}

auto key_of(const SpanView& self) {
  const auto [start, end] = self.holder().span_chars(self.span.start, self.span.end);
  return std::make_tuple(start, end, self.span.label, self.span.kb_id, self.span.id);
}

bool same_place(const TokenView& a, const TokenView& b) {
  return a.i == b.i;
}

// Labels of one document are ids of one vocabulary.
bool same_place(const SpanView& a, const SpanView& b) {
  return a.span == b.span;
}

// Another thing is neither equal nor before or behind: False, not an error.
template <class View, class Compare>
auto comparing(const Compare& compare) {
  return [compare](const View& self, nb::handle other) {
    View* view = nullptr;
    return nb::try_cast(other, view) && view != nullptr && compare(self, *view);
  };
}

template <class View>
void bind_order(nb::class_<View>& view) {
  const auto other = nb::arg("other").none();
  view.def("__eq__", comparing<View>([](const View& a, const View& b) {
             return a.doc.get() == b.doc.get() && same_place(a, b);
           }),
           other, nb::sig("def __eq__(self, other: object) -> bool"));
  view.def("__lt__",
           comparing<View>([](const View& a, const View& b) { return key_of(a) < key_of(b); }),
           other, nb::sig("def __lt__(self, other: object) -> bool"));
  view.def("__le__",
           comparing<View>([](const View& a, const View& b) { return key_of(a) <= key_of(b); }),
           other, nb::sig("def __le__(self, other: object) -> bool"));
  view.def("__gt__",
           comparing<View>([](const View& a, const View& b) { return key_of(a) > key_of(b); }),
           other, nb::sig("def __gt__(self, other: object) -> bool"));
  view.def("__ge__",
           comparing<View>([](const View& a, const View& b) { return key_of(a) >= key_of(b); }),
           other, nb::sig("def __ge__(self, other: object) -> bool"));
}

}  // namespace

void bind_token_order(nb::class_<TokenView>& token) {
  bind_order(token);
}

void bind_span_order(nb::class_<SpanView>& span) {
  bind_order(span);
}

}  // namespace weft::python
