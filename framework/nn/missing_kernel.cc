#include "framework/nn/missing_kernel.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weft {

void throw_on_from(const std::string& where, const Error& error) {
  constexpr std::array<std::string_view, 2> places = {"layer ", "component "};
  const bool is_named = std::any_of(places.begin(), places.end(), [&](std::string_view place) {
    return error.message().starts_with(place);
  });
  if (error.kind() != ErrorKind::device || is_named) throw;
  throw Error(ErrorKind::device, where + ": " + error.message());
}

}  // namespace weft
