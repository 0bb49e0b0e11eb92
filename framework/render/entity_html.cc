#include "framework/render/entity_html.h"

#include <algorithm>

#include <fmt/format.h>

#include "framework/render/escaped.h"
#include "framework/render/label_mark.h"

namespace weft {
namespace {

// Line ends of running text stay visible.
std::string running_text(std::string_view text) {
  std::string markup;
  for (const char c : markup_text(text)) {
    if (c == '\n') {
      markup += "<br>";
    } else {
      markup += c;
    }
  }
  return markup;
}

std::string entity_mark(const Doc& doc, const Span& ent, const RenderOptions& options,
                        LabelColors& colors) {
  return fmt::format(
      "\n<mark class=\"entity\" style=\"background: {}; color: #000; padding: 0.45em 0.6em; "
      "margin: 0 0.25em; line-height: 1; border-radius: 0.35em;\">\n    {}\n    <span "
      "style=\"font-size: 0.8em; font-weight: bold; line-height: 1; border-radius: 0.35em; "
      "vertical-align: middle; margin-{}: 0.5rem\">{}</span>\n</mark>\n",
      colors.of(known_text(doc, ent.label)), markup_text(doc.span_text(ent.start, ent.end)),
      options.right_to_left ? "right" : "left", label_mark(doc, ent, options));
}

// The text of tokens [start, end) with the space behind it.
std::string_view text_with_space(const Doc& doc, int start, int end) {
  if (start >= end) return {};
  const std::string_view text = doc.span_text(start, end);
  return {text.data(), text.size() + (doc.space(end - 1) ? 1 : 0)};
}

}  // namespace

std::string rest_note(int tokens, const char* what) {
  if (tokens == 0) return {};
  return fmt::format("<p class=\"rest\"><em>… {} more {} are not drawn</em></p>\n", tokens, what);
}

std::string entity_html(const Doc& doc, const RenderOptions& options, LabelColors& colors) {
  const int drawn = std::min(doc.size(), kMostDrawnTokens);
  std::string html =
      fmt::format("<div class=\"entities\" style=\"line-height: 2.5; direction: {}\">",
                  options.right_to_left ? "rtl" : "ltr");
  int done = 0;
  for (const Span& ent : doc.ents()) {
    if (ent.end > drawn) break;
    if (!shows_label(options, known_text(doc, ent.label))) continue;
    html += running_text(text_with_space(doc, done, ent.start));
    html += entity_mark(doc, ent, options, colors);
    if (doc.space(ent.end - 1)) html += ' ';
    done = ent.end;
  }
  html += running_text(text_with_space(doc, done, drawn)) + "</div>\n";
  return html + rest_note(doc.size() - drawn);
}

}  // namespace weft
