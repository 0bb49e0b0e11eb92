// Compares intermediate values of a pipeline with recorded ones.
#pragma once

#include <optional>
#include <string>

#include "framework/pipeline/language.h"
#include "tests/conformance/conformance_pipeline/record.h"

namespace weft::conformance {

// The first difference, or nothing. Runs the components before the entity recognizer and scores the
// first state with arithmetic of its own.
std::optional<std::string> check_trace(const Language& nlp, const Record& record);

}  // namespace weft::conformance
