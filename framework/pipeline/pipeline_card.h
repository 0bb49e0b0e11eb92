// A pipeline's card as Markdown, made of its meta.json: for the README of a package and for people.
#pragma once

#include <string>

#include "registry/base/export.h"
#include "registry/value/config.h"

namespace weft {

// A table of features, the labels of each component, and the scores, in per cent.
WEFT_API std::string pipeline_card(const Object& meta);

// A list of the entries, "* **Lang:** en", those of `left_out` without.
WEFT_API std::string entries_as_markdown(const Object& entries, const std::string& title);

}  // namespace weft
