// Defaults that both text classifiers have, but for whether labels exclude each other. spaCy 3.8.
#pragma once

#include <string>

namespace weft {

// The section [model].
std::string default_text_classifier(bool exclusive);

// Score weights, and the sections that `init config` writes; lives for ever.
const char* text_classifier_facts(bool exclusive);

}  // namespace weft
