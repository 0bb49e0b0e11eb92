// weft._weft: the C++ library for Python. python/weft/__init__.py says which of its names are
// public.
#include <nanobind/nanobind.h>

#include "bind.h"

NB_MODULE(_weft, module) {
  using namespace weft::python;
  // Registered functions and the pipelines that know them keep each other alive, and a program may
  // end with both: that is no fault of its own, which a report at its end would look like.
  nb::set_leak_warnings(false);
  module.doc() = "The C++ library of weft; `weft` has its names.";
  module.attr("__version__") = WEFT_VERSION;
  bind_errors();
  bind_vocab(module);
  bind_doc(module);
  bind_doc_bytes(module);
  bind_doc_arrow(module);
  bind_example(module);
  bind_lent_stream(module);
  bind_schedules(module);
  bind_functions(module);
  bind_language(module);
  bind_spacy_tokens(module);
  bind_pipelines(module);
  bind_training(module);
  bind_files(module);
  bind_commands(module);
}
