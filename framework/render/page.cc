#include "framework/render/page.h"

#include <fmt/format.h>

#include "framework/render/escaped.h"

namespace weft {

std::string page_head(const PageSettings& settings) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n<title>{}</title>\n</head>\n"
      "<body style=\"font-size: 16px; font-family: system-ui, sans-serif; padding: 4rem 2rem; "
      "color: #000; background: #fff; direction: {}\">\n",
      markup_name(settings.lang), markup_name(settings.title),
      settings.right_to_left ? "rtl" : "ltr");
}

std::string page_figure(std::string_view drawing) {
  return fmt::format("<figure style=\"margin-bottom: 6rem; overflow-x: auto\">\n{}</figure>\n",
                     drawing);
}

std::string page_end() {
  return "</body>\n</html>\n";
}

}  // namespace weft
