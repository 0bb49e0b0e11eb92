// The label of an entity or a span, with the id that links it to a knowledge base.
#pragma once

#include <string>

#include "framework/render/render_options.h"
#include "framework/text/doc.h"

namespace weft {

// The text of an id; its number where the document does not know it, "" for 0. Of a text that is
// longer than drawings show a byte more than they do: a label of a megabyte may stand at every
// word.
std::string known_text(const Doc& doc, StringId id);

// The label as markup, and behind it the span's id as a link, where it has one.
std::string label_mark(const Doc& doc, const Span& span, const RenderOptions& options);

}  // namespace weft
