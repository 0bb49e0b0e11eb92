// Labels in the data to evaluate on that the pipeline cannot predict.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "framework/text/example.h"
#include "registry/export.h"

namespace weft {

class Language;

// The labels of entities in the references that no component has, and how many entities have them.
// Empty where no component has labels.
WEFT_API std::map<std::string, std::int64_t> unseen_labels(const Language& nlp,
                                                           std::span<const Example> examples);

}  // namespace weft
