// One finding about a config: an error, a warning or a note, with its place. Functions that check
// collect these; nothing stops at the first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"
#include "registry/base/origin.h"

namespace weft {

enum class Severity { error, warning, note };

enum class ProblemKind {
  parse,                // a line that is neither header, key nor continuation; TOML syntax
  duplicate,            // a section or key given twice
  default_section,      // keys in [DEFAULT]
  undefined_parent,     // [a.b] without [a]
  conflict,             // a key and a section of one name
  unknown_override,     // an override of something that does not exist
  unresolved_variable,  // ${...} that leads nowhere
  variable_syntax,      // a `$` that starts no variable
  cycle,                // variables that lead to themselves
  section_in_string,    // a section reference inside text
  validation,           // arguments that do not fit a function; see Problem::reason
  schema,               // values that do not fit a section's schema; see Problem::reason
  multiple_promises,    // two @-keys in one block
  unknown_registry,     // @kind that does not exist
  unknown_function,     // no such name in the kind
  not_built,            // known name, not built in this version
  function_raised,      // the function itself failed
  no_such_option,       // a command line word without a dot
  invalid_override,     // a command line word where an override was expected
  unserialisable,       // a value that the chosen dialect cannot hold
  single_quoted,        // warning: the value looks single-quoted
  became_string,        // warning: the value is not JSON and was silently taken as text
  disagreement,         // warning: two override sources give different values
  ignored,              // note: accepted, but means nothing here
  limit,                // input larger than the documented bounds
};

// "parse", "unknown_override", ...: the names used by `--json` output.
WEFT_API std::string_view name_of(ProblemKind kind);

// Why a value does not fit, for `validation` and `schema`.
enum class Reason { none, type, missing, unexpected, range };
WEFT_API std::string_view name_of(Reason reason);

struct WEFT_API Problem {
  Severity severity = Severity::error;
  ProblemKind kind = ProblemKind::validation;
  Reason reason = Reason::none;
  Origin place;
  std::string path;        // whole dotted path from the top: "training.optimizer.learn_rat"
  std::string message;     // without place, path or suggestion
  std::string suggestion;  // the nearest name(s): "learn_rate" or "a or b"; "" = none
  std::string variable;    // unresolved_variable, cycle: the reference's text
  std::string function;    // validation: the function's name

  // "train.cfg:41:1  [training.optimizer] learn_rat: unknown setting (did you mean learn_rate?)"
  std::string str() const;
};

using Problems = std::vector<Problem>;

// True if any of them is an error (warnings and notes do not count).
WEFT_API bool has_errors(const Problems& problems);

}  // namespace weft
