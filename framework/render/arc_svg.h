// Dependencies as SVG: words in a line, arcs above them with their labels.
// Source of the look: spaCy 3.8, displaCy's style "dep" (docs/render.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/render/render_options.h"
#include "framework/text/doc.h"
#include "registry/base/export.h"

namespace weft {

// Words of a drawing; the rest is counted. The levels of arcs take time by its square.
inline constexpr int kMostDrawnWords = 1'000;

struct DrawnWord {
  std::string text = {}, tag = {}, lemma = {};  // lemma: "" for no line
};

// Between words start < end; `to_left`: the head of the arrow is at `start`.
struct DrawnArc {
  int start = 0, end = 0;
  bool to_left = false;
  std::string label = {};
};

struct ArcDrawing {
  std::vector<DrawnWord> words;
  std::vector<DrawnArc> arcs;
  int left_out = 0;  // words
};

// Whether the document has heads, or labels of them: else its words are drawn without arcs.
WEFT_API bool has_dependencies(const Doc& doc);

// Of tokens [start, end); arcs from and to other tokens are left out. Throws Error(config) where
// noun phrases are asked for and their rules are not built in.
WEFT_API ArcDrawing arc_drawing(const Doc& doc, std::pair<int, int> tokens,
                                const RenderOptions& options);

// By place of `arcs`, from 1 for the lowest: one more than the highest arc between its ends, taking
// the shortest arcs first.
WEFT_API std::vector<int> arc_levels(const std::vector<DrawnArc>& arcs);

// One `svg` element. `id` tells it from the others of its page: letters, digits, "-".
WEFT_API std::string arc_svg(const ArcDrawing& drawing, const RenderOptions& options,
                             const std::string& lang, const std::string& id);

}  // namespace weft
