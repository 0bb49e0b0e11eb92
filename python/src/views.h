// Tokens and spans as Python sees them: a document, which they keep alive, and a place in it.
#pragma once

#include <memory>
#include <string_view>

#include <nanobind/nanobind.h>

#include "framework/text/doc.h"

namespace weft::python {

namespace nb = nanobind;

using DocPtr = std::shared_ptr<Doc>;

// Raises IndexError where the document has no tokens [start, end): a component may have merged
// tokens of a document while Python held places in it.
const Doc& having(const Doc& doc, int start, int end);

struct TokenView {
  DocPtr doc;
  int i = 0;
  const Doc& holder() const { return having(*doc, i, i + 1); }
};

struct SpanView {
  DocPtr doc;
  Span span;
  const Doc& holder() const { return having(*doc, span.start, span.end); }
};

// An integer as an index of a sequence. Raises TypeError, and IndexError for a huge one.
Py_ssize_t index_of(nb::handle value);
// The place that `index` means in a sequence, negative ones from its end. Raises IndexError.
int place_of(Py_ssize_t index, int size);
// Tokens [start, end) of a slice of `size`. Raises ValueError for a step.
Span span_of(const nb::slice& slice, int size);
// An iterator over Token objects.
nb::object tokens_of(const DocPtr& doc, int start, int end);
// An integer as an id of a text. Raises TypeError, and OverflowError beyond 64 bits.
StringId id_of(nb::handle value);
// An attribute by its number; one that is none has the value 0 everywhere, as in spaCy.
Attr attr_numbered(StringId number);
// The text of an id. Raises KeyError where neither document nor vocabulary knows it, as in spaCy.
nb::str string_of(const Doc& doc, StringId id);
// The categories of a document and their values.
nb::dict cats_dict(const Doc& doc);
// The id of a label: of a text, which the vocabulary gets, or an id as it is. Raises ValueError for
// an id that is not known.
StringId label_of(const Doc& doc, nb::handle label);
// The span on the tokens of `doc`, whose vocabulary gets its names. Raises IndexError where it does
// not lie in there.
Span span_in(const Doc& doc, const SpanView& span);

}  // namespace weft::python
