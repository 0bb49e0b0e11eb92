#include "framework/render/arc_svg.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/render/escaped.h"

namespace weft {
namespace {

// Lengths in pixels, and where words and arcs come to stand.
class Layout {
 public:
  Layout(std::size_t words, int highest, const RenderOptions& options)
      : compact_(options.compact),
        mirrored_(options.right_to_left),
        highest_(highest),
        width_(kMargin + static_cast<double>(words) * distance()),
        arcs_y_(distance() / 2.0 * highest + 2) {}

  double width() const { return width_; }
  double height() const { return arcs_y_ + 3 * kWordRoom; }
  double arcs_y() const { return arcs_y_; }
  double words_y() const { return arcs_y_ + kWordRoom; }
  double word_x(int word) const { return placed(kMargin + word * distance()); }
  double start_x(const DrawnArc& arc) const {
    return placed(kMargin + arc.start * distance() + spacing());
  }
  // Higher arcs end further out, so that their arrows do not meet.
  double end_x(const DrawnArc& arc, int level) const {
    return placed(kMargin + arc.end * distance() - spacing() * (highest_ - level) / 4.0);
  }
  double curve_y(int level) const { return arcs_y_ - level * distance() / (compact_ ? 6.0 : 2.0); }
  int arrow() const { return compact_ ? 6 : 10; }

 private:
  static constexpr int kMargin = 50, kWordRoom = 45;
  int distance() const { return compact_ ? 150 : 175; }
  int spacing() const { return compact_ ? 12 : 20; }
  double placed(double x) const { return mirrored_ ? width_ - x : x; }

  bool compact_, mirrored_;
  int highest_;
  double width_, arcs_y_;
};

std::string line_of(const char* name, double x, const std::string& text, bool below) {
  return fmt::format(
      "    <tspan class=\"displacy-{}\"{} fill=\"currentColor\" x=\"{}\">{}"
      "</tspan>\n",
      name, below ? " dy=\"2em\"" : "", x, markup_name(text));
}

std::string word_svg(const DrawnWord& word, double x, double y) {
  std::string svg = fmt::format(
      "<text class=\"displacy-token\" fill=\"currentColor\" text-anchor=\"middle\" y=\"{}\">\n", y);
  svg += line_of("word", x, word.text, false);
  if (!word.lemma.empty()) svg += line_of("lemma", x, word.lemma, true);
  return svg + line_of("tag", x, word.tag, true) + "</text>\n\n";
}

std::string arrow_head(const Layout& layout, double x, bool to_left) {
  const int half = layout.arrow() - 2;
  const double y = layout.arcs_y(), top = y - layout.arrow();
  const int side = to_left ? -half : half;
  return fmt::format("M{},{} L{},{} {},{}", x, y + 2, x + side, top, x - side, top);
}

std::string arc_path(const Layout& layout, const DrawnArc& arc, int level, bool compact) {
  const double x1 = layout.start_x(arc), x2 = layout.end_x(arc, level);
  const double y = layout.arcs_y(), c = layout.curve_y(level);
  return fmt::format("M{0},{1} {2}{0},{3} {4},{3} {4},{1}", x1, y, compact ? "" : "C", c, x2);
}

std::string one_arc(const Layout& layout, const DrawnArc& arc, int level,
                    const RenderOptions& options, const std::string& id) {
  const double tip = arc.to_left ? layout.start_x(arc) : layout.end_x(arc, level);
  return fmt::format(
      "<g class=\"displacy-arrow\">\n"
      "    <path class=\"displacy-arc\" id=\"{0}\" stroke-width=\"2px\" d=\"{1}\" fill=\"none\" "
      "stroke=\"currentColor\"/>\n"
      "    <text dy=\"1.25em\" style=\"font-size: 0.8em; letter-spacing: 1px\">\n"
      "        <textPath xlink:href=\"#{0}\" class=\"displacy-label\" startOffset=\"50%\" "
      "side=\"{2}\" fill=\"currentColor\" text-anchor=\"middle\">{3}</textPath>\n"
      "    </text>\n"
      "    <path class=\"displacy-arrowhead\" d=\"{4}\" fill=\"currentColor\"/>\n"
      "</g>\n\n",
      id, arc_path(layout, arc, level, options.compact), options.right_to_left ? "right" : "left",
      markup_name(arc.label), arrow_head(layout, tip, arc.to_left));
}

}  // namespace

std::string arc_svg(const ArcDrawing& drawing, const RenderOptions& options,
                    const std::string& lang, const std::string& id) {
  const std::vector<int> levels = arc_levels(drawing.arcs);
  const int highest = levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end());
  std::vector<DrawnWord> words = drawing.words;
  if (drawing.left_out > 0) words.push_back({fmt::format("… {} more", drawing.left_out), "", ""});
  const Layout layout(words.size(), highest, options);
  const char* direction = options.right_to_left ? "rtl" : "ltr";
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
      "xml:lang=\"{0}\" id=\"{1}\" class=\"displacy\" width=\"{2}\" height=\"{3}\" "
      "direction=\"{4}\" style=\"max-width: none; height: {3}px; color: #000000; background: "
      "#ffffff; font-family: Arial; direction: {4}\">\n",
      markup_name(lang), id, layout.width(), layout.height(), direction);
  for (std::size_t i = 0; i < words.size(); ++i) {
    svg += word_svg(words[i], layout.word_x(static_cast<int>(i)), layout.words_y());
  }
  for (std::size_t i = 0; i < drawing.arcs.size(); ++i) {
    svg += one_arc(layout, drawing.arcs[i], levels[i], options, fmt::format("{}-{}", id, i));
  }
  return svg + "</svg>\n";
}

}  // namespace weft
