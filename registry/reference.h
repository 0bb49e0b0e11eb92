// What is registered, as text for people, as JSON for programs, and as reference pages.
#pragma once

#include <string>
#include <string_view>

#include "registry/catalogue.h"

namespace weft {

// One line per kind: its name, how many functions it has, its meaning.
WEFT_API std::string kinds_text(const Catalogue& catalogue);
// {"kinds": [{"name", "functions", "doc"}]}
WEFT_API Node kinds_json(const Catalogue& catalogue);

// One line per function of a kind: its name and meaning.
WEFT_API std::string names_text(const Catalogue& catalogue, std::string_view kind);
// {"kind", "functions": [{"name", "doc", "library", "built"}]}
WEFT_API Node names_json(const Catalogue& catalogue, std::string_view kind);

// The meaning and the parameters of one function: name, type, default, range, meaning.
WEFT_API std::string function_text(const Function& function);
// {"kind", "name", "doc", "library", "built", "result", "parameters": [{"name", "type", "kind",
//  "required", "default", "range", "doc"}], "meta"}
WEFT_API Node function_json(const Function& function);

// A Markdown page with all functions of a kind; made from the same data, so never out of step.
WEFT_API std::string reference_page(const Catalogue& catalogue, std::string_view kind);

// Throws Error(usage) with the nearest names if there is no such kind, or no such function in it.
WEFT_API void require_kind(const Catalogue& catalogue, std::string_view kind);
WEFT_API const Function& require_function(const Catalogue& catalogue, std::string_view kind,
                                          std::string_view name);

}  // namespace weft
