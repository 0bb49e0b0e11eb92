#include "framework/text/printable.h"

#include <fmt/format.h>
#include <utf8proc.h>

namespace weft {
namespace {

bool is_shown(utf8proc_int32_t code_point) {
  switch (utf8proc_category(code_point)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    utf8proc_int32_t code_point = 0;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                         static_cast<utf8proc_ssize_t>(text.size()), &code_point);
    const std::size_t bytes = length > 0 ? static_cast<std::size_t>(length) : 1;
    if (length <= 0) {
      shown += fmt::format("\\x{{{:02X}}}", static_cast<unsigned char>(text.front()));
    } else if (is_shown(code_point)) {
      shown += text.substr(0, bytes);
    } else {
      shown += fmt::format("\\u{{{:X}}}", code_point);
    }
    text.remove_prefix(bytes);
  }
  return shown;
}

}  // namespace weft
