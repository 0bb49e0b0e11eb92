// The text of components/languages/*.rules, put into the library when it is built.
#pragma once

#include <string_view>
#include <vector>

namespace weft {

struct LanguageFile {
  std::string_view name;  // "base", "de"
  std::string_view text;
};

// Sorted by name. The views never end.
const std::vector<LanguageFile>& language_files();

}  // namespace weft
