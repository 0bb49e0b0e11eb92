// Checks the form of a token pattern, before it is compiled. Source: spaCy 3.8, what `validate`
// refuses (https://spacy.io/api/matcher#patterns).
#pragma once

#include <string>
#include <vector>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// The faults of a pattern, each as "token 2, LOWER: ..."; empty for one that is fine.
WEFT_API std::vector<std::string> faults_of_pattern(const List& pattern);

// "; did you mean REGEX?" for a name of a predicate that is none, "" where none is close.
std::string suggest_predicate(const std::string& name);

}  // namespace weft
