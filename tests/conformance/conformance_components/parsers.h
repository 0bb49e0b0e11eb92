// Pipelines with several components that parse by transitions: each predicts on the input alone.
#pragma once

#include <string>

#include "framework/pipeline/language.h"
#include "tests/conformance/conformance_components/checks.h"

namespace weft::conformance {

// Whether the pipeline has more than one of them.
bool parses_twice(const Language& nlp);

// A line of `expected.jsonl`: the annotation by each of the components and their finished beams.
void check_parsers(const Language& nlp, const Json& line, const Doc& input,
                   const std::string& record, Checks& checks);

}  // namespace weft::conformance
