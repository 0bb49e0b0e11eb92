// Does a value fit a type? With the conversions the user guide promises.
// Source: docs/config.md, "Checks against signatures".
#pragma once

#include <string>
#include <vector>

#include "registry/functions/argument.h"
#include "registry/functions/signature.h"
#include "registry/functions/type.h"

namespace weft {

struct FitNote {
  std::string where;    // inside the value: "", ".1" (an element), ".key"
  std::string message;  // "expected an integer, found the string \"fast\""
  Origin place = {};    // of the part that is wrong, where it is known
};

struct FitReport {
  std::vector<FitNote> errors;
  // Accepted, but the reference would refuse it: 1 for a boolean, 2.0 for an integer.
  std::vector<FitNote> conversions;
};

// True if `value` fits `type`, which may convert it in place: an integer for a float always; unless
// the type is strict an integral float or its text for an integer, a number's text for a float, and
// 1, 0, "true", "false" for a boolean. Function blocks inside sections are taken on trust: they are
// checked once they are built. Blocks inside lists are data, and all of them are
// without `blocks`.
WEFT_API bool fit(const Type& type, Node& value, FitReport& report, bool blocks = true);

// The same for a resolved value, where results of functions are checked against their type.
WEFT_API bool fit(const Type& type, Argument& value, FitReport& report);

// True if `value` fits without any conversion other than that of an integer for a float, which is
// not carried out.
WEFT_API bool admits(const Type& type, const Argument& value);

// True if the result of a function that declares `result` can be passed where `type` is asked for,
// as far as the declaration tells: `any` and plain data are only known once they are there.
WEFT_API bool result_may_fit(const Type& type, const Type& result);

// Whether `value`, which fits the type of the parameter, is one that it takes; errors are added.
WEFT_API bool check_limits(const FunctionParameter& parameter, const Node& value,
                           FitReport& report);

// Adds an error for every number in `value` (itself, or in its lists and sections) outside `range`.
// Function blocks in sections are left alone: their results are checked once they are built.
WEFT_API bool check_range(const Range& range, const Node& value, FitReport& report);

}  // namespace weft
