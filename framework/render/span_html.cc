#include "framework/render/span_html.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "framework/render/entity_html.h"
#include "framework/render/escaped.h"
#include "framework/render/label_mark.h"
#include "framework/unicode/unicode.h"

namespace weft {
namespace {

constexpr int kFirstTop = 40, kStep = 17, kLabelRoom = 20;  // pixels

struct Drawn {
  Span span;
  std::string label;
  std::string color;
  int slot = 1;  // 1 is nearest to the words
  int top() const { return kFirstTop + kStep * (slot - 1); }
};

// In the order in which they are placed, as many as may be drawn.
std::vector<Drawn> drawn_spans(const Doc& doc, const RenderOptions& options, int tokens,
                               int& left_out) {
  std::vector<Drawn> all;
  const SpanGroup* group = doc.span_group(options.spans_key);
  for (const Span& span : group == nullptr ? std::vector<Span>() : group->spans) {
    std::string label = known_text(doc, span.label);
    if (shows_label(options, label)) all.push_back({span, std::move(label), {}});
  }
  std::stable_sort(all.begin(), all.end(), [](const Drawn& a, const Drawn& b) {
    const int a_length = a.span.end - a.span.start, b_length = b.span.end - b.span.start;
    return std::tie(a.span.start, b_length, a.label) < std::tie(b.span.start, a_length, b.label);
  });
  int lines = 0;
  std::vector<Drawn> drawn;
  for (Drawn& one : all) {
    const int length = one.span.end - one.span.start;
    const bool fits = one.span.end <= tokens && length <= kMostSpanLines - lines;
    if (fits) lines += length;
    if (fits) drawn.push_back(std::move(one));
  }
  left_out = static_cast<int>(all.size() - drawn.size());
  return drawn;
}

std::string line_of(const Drawn& one, bool begins) {
  return fmt::format(
      "<span style=\"background: {}; top: {}px; height: 4px; {}left: -1px; width: calc(100% + "
      "2px); position: absolute;\">\n",
      one.color, one.top(),
      begins ? "border-top-left-radius: 3px; border-bottom-left-radius: 3px; " : "");
}

std::string token_html(const Doc& doc, int token, const std::vector<Drawn*>& covering,
                       const RenderOptions& options) {
  const int height = kFirstTop + kLabelRoom + kStep * (static_cast<int>(covering.size()) - 1);
  std::string html = fmt::format(
      "\n<span style=\"font-weight: bold; display: inline-block; position: relative; height: "
      "{}px;\">\n    {}\n",
      height, markup_name(doc.word(token)));
  for (const Drawn* one : covering) html += line_of(*one, false) + "</span>\n";
  for (const Drawn* one : covering) {
    if (one->span.start != token) continue;
    html += line_of(*one, true) +
            fmt::format(
                "    <span style=\"background: {}; z-index: 10; color: #000; top: -0.5em; "
                "padding: 2px 3px; position: absolute; font-size: 0.6em; font-weight: "
                "bold; line-height: 1; border-radius: 3px\">{}</span>\n</span>\n",
                one->color, label_mark(doc, one->span, options));
  }
  return html + "</span>\n";
}

}  // namespace

std::string span_html(const Doc& doc, const RenderOptions& options, LabelColors& colors) {
  const int tokens = std::min(doc.size(), kMostDrawnTokens);
  int left_out = 0;
  std::vector<Drawn> spans = drawn_spans(doc, options, tokens, left_out);
  for (Drawn& one : spans) one.color = colors.of(one.label);
  std::string html = fmt::format("<div class=\"spans\" style=\"line-height: 2.5; direction: {}\">",
                                 options.right_to_left ? "rtl" : "ltr");
  std::vector<Drawn*> covering;  // the token, in the order of `spans`
  auto next = spans.begin();
  for (int i = 0; i < tokens; ++i) {
    std::erase_if(covering, [&](const Drawn* one) { return one->span.end <= i; });
    for (; next != spans.end() && next->span.start <= i; ++next) {
      if (next->span.end <= i) continue;
      next->slot = covering.empty() ? 1 : covering.back()->slot + 1;
      covering.push_back(&*next);
    }
    const bool shows_lines = !covering.empty() && !is_space(doc.word(i));
    html += shows_lines ? token_html(doc, i, covering, options) : markup_text(doc.word(i)) + " ";
  }
  html += "</div>\n";
  return html + rest_note(doc.size() - tokens) + rest_note(left_out, "spans");
}

}  // namespace weft
