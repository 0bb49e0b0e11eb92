// Entities as HTML, marked in their text.
// Source of the look: spaCy 3.8, displaCy's style "ent" (docs/render.md).
#pragma once

#include <string>

#include "framework/render/label_colors.h"
#include "framework/render/render_options.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Tokens of a document that are drawn; the rest is counted.
inline constexpr int kMostDrawnTokens = 20'000;

// One element, without a page around it. Colours of new labels are taken from `colors`.
WEFT_API std::string entity_html(const Doc& doc, const RenderOptions& options, LabelColors& colors);

// How many of the document's tokens are not drawn, as a sentence in an element of its own; "" for
// none.
std::string rest_note(int tokens, const char* what = "tokens");

}  // namespace weft
