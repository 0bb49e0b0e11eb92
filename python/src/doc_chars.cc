// Spans of a document by their characters.
#include <optional>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.h"
#include "text.h"
#include "views.h"

namespace weft::python {
namespace {

struct Chars {
  std::size_t start = 0, end = 0;
};

Chars chars_of(const Doc& doc, int token) {
  const auto [start, end] = doc.span_chars(token, token + 1);
  return {start, end};
}

// The token that a character belongs to, a space behind it included; -1 beyond the text.
int token_at(const Doc& doc, Py_ssize_t place) {
  if (place < 0) return -1;
  const auto character = static_cast<std::size_t>(place);
  int low = 0, high = doc.size();  // the last one that begins at or before the character
  while (low < high) {
    const int middle = (low + high) / 2;
    if (chars_of(doc, middle).start <= character) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const int token = low - 1;
  if (token < 0) return -1;
  const std::size_t end = chars_of(doc, token).end + (doc.space(token) ? 1 : 0);
  return character < end ? token : -1;
}

// Tokens [start, end) as spaCy's alignment modes choose them.
std::optional<Span> aligned(const Doc& doc, Py_ssize_t start_char, Py_ssize_t end_char,
                            std::string_view mode) {
  int start = token_at(doc, start_char), last = token_at(doc, end_char - 1);
  if (start < 0 || last < 0) return std::nullopt;
  const auto first_char = static_cast<std::size_t>(start_char);
  const auto behind = static_cast<std::size_t>(end_char);
  const Chars first = chars_of(doc, start), final = chars_of(doc, last);
  if (mode == "strict" && (first_char != first.start || behind != final.end)) return std::nullopt;
  if (mode == "contract") {
    if (first.start < first_char) ++start;
    if (behind < final.end) --last;
  }
  // A space belongs to no token.
  if (mode == "expand" && first_char == first.end) ++start;
  if (last + 1 < start || (mode == "contract" && last < start)) return std::nullopt;
  return Span{start, last + 1};
}

std::optional<SpanView> char_span(const DocPtr& self, Py_ssize_t start, Py_ssize_t end,
                                  nb::object label, nb::object kb_id, nb::object mode,
                                  nb::object span_id) {
  const std::string_view name = utf8_of(mode);
  if (name != "strict" && name != "contract" && name != "expand") {
    throw nb::value_error("alignment_mode is 'strict', 'contract' or 'expand'");
  }
  std::optional<Span> span = aligned(*self, start, end, name);
  if (!span) return std::nullopt;
  span->label = label_of(*self, label);
  span->kb_id = label_of(*self, kb_id);
  span->id = label_of(*self, span_id);
  return SpanView{self, *span};
}

}  // namespace

void bind_doc_chars(nb::class_<Doc>& doc) {
  doc.def("char_span", char_span, nb::arg("start_idx"), nb::arg("end_idx"), nb::arg("label") = "",
          nb::arg("kb_id") = "", nb::arg("alignment_mode") = "strict", nb::arg("span_id") = "",
          nb::sig("def char_span(self, start_idx: int, end_idx: int, label: int | str = '', kb_id: "
                  "int | str = '', alignment_mode: str = 'strict', span_id: int | str = '') -> "
                  "Span | None"),
          "The tokens that cover exactly these characters (code points), or None. \"contract\" "
          "takes those that lie inside, \"expand\" those that they touch.");
}

}  // namespace weft::python
