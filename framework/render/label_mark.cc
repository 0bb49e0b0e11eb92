#include "framework/render/label_mark.h"

#include <fmt/format.h>

#include "framework/render/escaped.h"

namespace weft {

std::string known_text(const Doc& doc, StringId id) {
  if (id == 0) return {};
  const auto text = doc.find_string(id);
  if (!text) return fmt::format("{}", id);
  return std::string(text->substr(0, kLongestName + 1));
}

std::string label_mark(const Doc& doc, const Span& span, const RenderOptions& options) {
  std::string mark = markup_name(known_text(doc, span.label));
  const std::string id = known_text(doc, span.kb_id);
  if (id.empty()) return mark;
  return mark + fmt::format(
                    "\n <a style=\"text-decoration: none; color: inherit; font-weight: "
                    "normal\" href=\"{}\">{}</a>\n",
                    markup_text(address_of(options, id)), markup_name(id));
}

}  // namespace weft
