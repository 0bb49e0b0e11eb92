// Data files of components/ that cmake/EmbedText.cmake puts into the library when it is built, so
// that nothing has to be found at run time.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace weft {

struct EmbeddedFile {
  std::string_view name;  // "de.rules"
  std::string_view text;
};

// Sorted by path. The views never end.
const std::vector<EmbeddedFile>& embedded_files();

// The text of the file of that name, or nothing.
std::optional<std::string_view> embedded_text(std::string_view name);

}  // namespace weft
