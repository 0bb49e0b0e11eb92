// A section of a config that a command cannot do without, as the struct that describes it.
#pragma once

#include <string_view>
#include <utility>

#include "framework/pipeline/check_config.h"
#include "registry/base/problem.h"
#include "registry/building/resolve.h"
#include "registry/functions/catalogue.h"
#include "registry/value/config.h"

namespace weft {

// `values` are expanded. Throws Error(config) with all problems of the section.
template <class Settings>
Settings required_section(const Config& values, std::string_view name, const Catalogue& catalogue) {
  Problems problems;
  auto settings = resolve_section<Settings>(values, name, catalogue, problems);
  throw_errors(std::move(problems));
  return std::move(*settings);
}

}  // namespace weft
