// Whether a single value, no list or section, fits a type, and the conversions that make it fit.
// Private to registry/functions; fit.h is for everybody.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "registry/functions/fit.h"
#include "registry/functions/type.h"
#include "registry/value/config.h"

namespace weft {

// How far a value may be bent, and where it stands.
struct FitMode {
  bool convert = true;
  bool in_list = false;  // blocks below are data
  std::string where;

  FitMode inside(std::string step, bool list = false) const {
    return {convert, in_list || list, where + "." + std::move(step)};
  }
};

// Adds an error, "expected an integer, found …"; false.
bool refuse(const Type& type, const Node& value, const FitMode& mode, FitReport& report);

bool fit_boolean(const Type& type, Node& value, const FitMode& mode, FitReport& report);
bool fit_integer(const Type& type, Node& value, const FitMode& mode, FitReport& report);
bool fit_floating(const Type& type, Node& value, const FitMode& mode, FitReport& report);
bool fit_choice(const Type& type, Node& value, const FitMode& mode, FitReport& report);

// The command line gives integers beyond 64 bits as text.
bool is_long_integer_text(const Node& value);

// Of a number or a boolean.
std::optional<double> as_number(const Node& value);

}  // namespace weft
