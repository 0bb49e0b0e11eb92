#include "framework/precision/category.h"

#include <array>

namespace weft {

std::string_view name_of(Category category) {
  static constexpr std::array<std::string_view, 6> names = {"low",         "f32", "promote",
                                                            "match_first", "any", "banned"};
  return names[static_cast<std::size_t>(category)];
}

}  // namespace weft
