// The parts of the Python module, each of which puts its classes and functions into it. The order
// of the calls is that of their needs: signatures name classes that are bound already.
#pragma once

#include <nanobind/nanobind.h>

#include "framework/text/doc.h"

namespace weft::python {

namespace nb = nanobind;

// As the program's option; raises ValueError for other numbers.
inline int checked_threads(int threads) {
  constexpr int kMost = 1024;
  if (threads < 0 || threads > kMost) throw nb::value_error("n_threads is a number from 0 to 1024");
  return threads;
}

// Before an array is made. Raises ImportError where it is not installed, which weft does not ask
// for.
inline void need_numpy() {
  static_cast<void>(nb::module_::import_("numpy"));
}

struct TokenView;
struct SpanView;

void bind_errors();
void bind_vocab(nb::module_& module);
void bind_span(nb::module_& module);
void bind_token(nb::module_& module);
void bind_doc(nb::module_& module);
void bind_token_tree(nb::class_<TokenView>& token);
void bind_span_tree(nb::class_<SpanView>& span);
void bind_token_order(nb::class_<TokenView>& token);
void bind_span_order(nb::class_<SpanView>& span);
void bind_doc_arrays(nb::class_<Doc>& doc);
void bind_doc_chars(nb::class_<Doc>& doc);
void bind_doc_render(nb::class_<Doc>& doc);
void bind_doc_bytes(nb::module_& module);
void bind_doc_arrow(nb::module_& module);
void bind_example(nb::module_& module);
void bind_lent_stream(nb::module_& module);
void bind_schedules(nb::module_& module);
void bind_functions(nb::module_& module);
void bind_language(nb::module_& module);
void bind_spacy_tokens(nb::module_& module);
void bind_pipelines(nb::module_& module);
void bind_training(nb::module_& module);
void bind_files(nb::module_& module);
void bind_commands(nb::module_& module);

}  // namespace weft::python
