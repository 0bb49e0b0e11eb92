// Tokens and spans as Python sees them: a document, which they keep alive, and a place in it.
#pragma once

#include <memory>
#include <string_view>

#include <nanobind/nanobind.h>

#include "framework/text/doc.h"

namespace weft::python {

namespace nb = nanobind;

using DocPtr = std::shared_ptr<Doc>;

struct TokenView {
  DocPtr doc;
  int i = 0;
};

struct SpanView {
  DocPtr doc;
  Span span;
};

// The place that `index` means in a sequence, negative ones from its end. Raises IndexError.
int place_of(Py_ssize_t index, int size);
// Tokens [start, end) of a slice of `size`. Raises ValueError for a step.
Span span_of(const nb::slice& slice, int size);
// An iterator over Token objects.
nb::object tokens_of(const DocPtr& doc, int start, int end);
// The id of a label: of a text, which the vocabulary gets, or an id as it is.
StringId label_of(const Doc& doc, nb::handle label);

}  // namespace weft::python
