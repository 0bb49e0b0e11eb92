// The parameters of a registered function, or the keys of a section: made from a struct's `fields`
// or at run time. Source: docs/config.md, "Checks against signatures".
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/base/export.h"
#include "registry/functions/type.h"
#include "registry/value/config.h"

namespace weft {

class Function;

// Bounds of a number (and of every number of a list).
struct WEFT_API Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool min_open = false;  // min < x instead of min <= x
  bool max_open = false;  // x < max instead of x <= max
  // NaN and infinities are refused, whatever the bounds. So it is for every field of a struct;
  // signatures that are made at run time admit them, as the reference does.
  bool finite = false;

  bool admits(double value) const;  // NaN is admitted only where there are no bounds
  bool bounded() const;
  std::string str() const;  // "0 <= x < 1", "x >= 1"; "" without bounds
  // For messages about `value`: the bounds, and that the number has to be finite where it is not.
  std::string wanted(double value) const;
};

struct WEFT_API FunctionParameter {
  enum class Kind : unsigned char {
    positional_or_keyword,  // by name, or by place through `*`
    keyword_only,           // by name alone
    variadic,               // takes the remaining values of `*`; required, `* = []` gives none
    var_keyword,  // declared by functions that take any name; a config may still give none
  };

  std::string name = "";
  Type type = {};
  Kind kind = Kind::positional_or_keyword;
  std::optional<Node> default_value = {};  // nothing: required
  Range range = {};
  // The fault of data that fits the type, "" if it has none; null: it never has one.
  std::string (*fault)(const Node& data) = nullptr;
  // The same of a function in the parameter's place, whose result fits the type.
  std::string (*function_fault)(const Function& function) = nullptr;
  std::string doc = "";      // one line
  std::string ignored = "";  // not empty: accepted but without effect here, and why
  // False: filling adds no default. For settings that the reference does not know: a config that
  // leaves them out stays one that it accepts.
  bool filled = true;
  // A path that the function writes to: a run takes it as below its output, see written_paths.h.
  bool written = false;

  bool required() const { return !default_value && kind != Kind::var_keyword; }
};

struct WEFT_API Signature {
  std::vector<FunctionParameter> parameters = {};
  // False: values given through `*` are handed over as they are, as the reference does.
  bool check_positional = true;

  const FunctionParameter* find(std::string_view name) const;
  std::vector<std::string> names() const;  // that a config may use as keys
};

}  // namespace weft
