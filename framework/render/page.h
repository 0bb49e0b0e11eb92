// The page around drawings: no script runs in it and nothing is loaded, whatever they hold.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "registry/base/export.h"

namespace weft {

// A page gets no further drawing once it has as much.
inline constexpr std::size_t kMostPageBytes = std::size_t{64} << 20;

struct PageSettings {
  std::string title = "displaCy";
  std::string lang = "en";
  bool right_to_left = false;
};

WEFT_API std::string page_head(const PageSettings& settings);
// A drawing as a part of the page.
WEFT_API std::string page_figure(std::string_view drawing);
WEFT_API std::string page_end();

}  // namespace weft
