// Spans as HTML: each is a line below its words, overlapping ones below each other.
// Source of the look: spaCy 3.8, displaCy's style "span" (docs/render.md).
#pragma once

#include <string>

#include "framework/render/label_colors.h"
#include "framework/render/render_options.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Lines of a document, one for each token of each span, that are drawn; further spans are counted.
inline constexpr int kMostSpanLines = 100'000;

// One element, without a page around it; of a document without spans under the options' key, its
// words.
WEFT_API std::string span_html(const Doc& doc, const RenderOptions& options, LabelColors& colors);

}  // namespace weft
