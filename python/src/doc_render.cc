// Documents in notebooks: entities, marked in the text.
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "bind.h"

#include "framework/render/entity_html.h"
#include "framework/render/render_options.h"
#include "framework/text/vocab.h"

namespace weft::python {

void bind_doc_render(nb::class_<Doc>& doc) {
  doc.def(
      "_repr_html_",
      [](const Doc& self) {
        RenderOptions options;
        options.right_to_left = is_right_to_left(self.vocab()->lang());
        LabelColors colors;
        return entity_html(self, options, colors);
      },
      "The text with its entities marked, as notebooks show it; `weft render` draws more.");
}

}  // namespace weft::python
