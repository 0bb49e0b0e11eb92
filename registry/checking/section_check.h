// Checks one block or section against its signature.
#pragma once

#include <string>

#include "registry/base/export.h"
#include "registry/base/problem.h"
#include "registry/checking/assignment.h"
#include "registry/functions/catalogue.h"
#include "registry/functions/schema.h"

namespace weft {

// One section under check: what stands there and what is expected.
struct CheckedSection {
  const Node& node;  // an object
  const std::string& path;
  const Signature& signature;
  ProblemKind kind = ProblemKind::validation;  // or `schema`
  std::string function = "";                   // the function's name, for `validation`
  std::string_view skip = "";                  // a key that is no argument
  UnknownKeys unknown = UnknownKeys::error;
};

// In parameter order what does not fit and what is missing, then unexpected keys in key order.
WEFT_API void check_section(const CheckedSection& section, const Catalogue& catalogue,
                            Problems& problems);

// A problem of the kind of `section`.
WEFT_API Problem section_problem(const CheckedSection& section, Reason reason, std::string path,
                                 const Origin& place, std::string message);

// Says of a resolved or plain value what `fit` found.
struct FitReport;
WEFT_API void report_fit(const CheckedSection& section, const FitReport& report,
                         const std::string& path, const Origin& place, Reason reason,
                         Problems& problems);

// The function that the value of an `@kind` key names, or null. A value that is no string names
// none.
const Function* find_function(const Catalogue& catalogue, const Object::Entry& promise);

}  // namespace weft
