// A product of a kind that the plugin adds.
#pragma once

#include <string_view>

#include "registry/functions/type.h"

namespace acme {

struct Sprinkler {
  double litres = 0;
  int heads = 1;
};

}  // namespace acme

template <>
struct weft::ProductTraits<acme::Sprinkler> {
  static constexpr std::string_view kind = "acme.sprinklers", name = "sprinkler";
};
