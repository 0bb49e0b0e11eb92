#include "components/embedded_files.h"

namespace weft {

std::optional<std::string_view> embedded_text(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == name) return file.text;
  }
  return std::nullopt;
}

}  // namespace weft
