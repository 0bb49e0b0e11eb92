// Values that replace those of the file: from the command line and the environment.
// Source: docs/config.md, "Overrides".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "registry/base/problem.h"
#include "registry/value/config.h"

namespace weft {

// In the order of application. The node's origin says where the value came from; `replaced` holds
// the value of a weaker source, if there was one.
using Overrides = std::vector<std::pair<std::string, Node>>;

// An environment variable and its value.
struct EnvironmentOverrides {
  std::string variable;
  std::string value;
};

// `--section.key value`, `--section.key=value`, or `--section.key` alone for true. A name given
// twice keeps its first place and its last value. Words that are no override are `invalid_override`
// or, on the command line, `no_such_option` problems. `variable` is the environment variable's
// name.
WEFT_API Overrides parse_overrides(const std::vector<std::string>& words, Origin::Source source,
                                   std::string_view variable, Problems& problems);

// Command line and environment together. Each variable's value is split like a POSIX shell does;
// later variables win over earlier ones and all of them over the command line, at the place in the
// order where the name first stands. Where two sources disagree a `disagreement` warning names
// both.
WEFT_API Overrides collect_overrides(const std::vector<std::string>& argv,
                                     const std::vector<EnvironmentOverrides>& environment,
                                     Problems& problems);

// Puts the overrides into the tree. Lenient: the section must be declared, the key may be new.
// All names are checked before the first is applied; unknown ones are `unknown_override` problems.
WEFT_API void apply_overrides(Config& config, const Overrides& overrides, Problems& problems);

// The reference's rule for overrides that are given when resolving: the name must exist, and one of
// the top level is allowed.
WEFT_API void override_existing(Config& config, const Overrides& overrides, Problems& problems);

// The stricter rule of the commands: every name must exist in the filled config. Others are
// `unknown_override` problems with the nearest names.
WEFT_API void check_overrides(const Config& filled, const Overrides& overrides, Problems& problems);

// The words of a command line, as a POSIX shell splits them: quotes and backslashes, no comments,
// no expansions.
struct SplitWords {
  std::vector<std::string> words;
  // Not where a quote is never closed, which then runs to the end, or a backslash ends the text.
  bool is_whole = true;
};
WEFT_API SplitWords split_words(std::string_view text);

}  // namespace weft
