// Documents and what a saved pipeline makes of them.
#pragma once

#include <filesystem>

#include "framework/pipeline/language.h"
#include "tests/conformance/conformance_components/checks.h"

namespace weft::conformance {

// `expected.jsonl`: every field of every line. Gives the number of lines.
int check_predictions(const Language& nlp, const std::filesystem::path& file, Checks& checks);

}  // namespace weft::conformance
