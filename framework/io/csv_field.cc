#include "framework/io/csv_field.h"

namespace weft {

std::string csv_field(const std::string& text, std::string_view special) {
  if (text.find_first_of(special) == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace weft
